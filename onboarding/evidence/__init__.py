"""Files that prove what an application says: upload, scan, look, remove."""
