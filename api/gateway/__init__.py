"""What every API request passes through."""
