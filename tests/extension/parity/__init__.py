"""The JavaScript core of the extension, asked the same questions as Python."""
