"""Digital services: airtime, data and bills, bought for somebody."""
