"""What a business does: answers, the forms of a section, the steps, and the pages for them."""
