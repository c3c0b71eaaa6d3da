"""Home pages: what a business and each staff role see first."""
