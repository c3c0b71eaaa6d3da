"""What the API says about itself: the documentation pages."""
