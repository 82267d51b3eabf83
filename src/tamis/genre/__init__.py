"""What kind of page is it? From its HTML (page_types) or from how it looks (pictures)."""
