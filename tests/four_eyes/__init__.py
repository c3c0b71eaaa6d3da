"""R16 and R35: nobody judges a case twice, nor one of a business that they ever belonged to."""
