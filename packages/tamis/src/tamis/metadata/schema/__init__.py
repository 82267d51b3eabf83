"""What a page declares in the words of schema.org: JSON-LD, microdata and RDFa, and all of it as structured data."""
