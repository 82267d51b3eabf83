"""What a reader sees: headline, byline, dateline, and links to tags, categories and licences."""
