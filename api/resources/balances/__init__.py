"""What a business holds, currency by currency."""
