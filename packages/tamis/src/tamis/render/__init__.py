"""From labels to text, Markdown, HTML, JSON and a highlighted copy of the page."""
