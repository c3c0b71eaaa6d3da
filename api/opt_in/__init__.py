"""Page for our account team to enable or end a currency for a business."""
