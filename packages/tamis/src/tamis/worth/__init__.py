"""What an extraction is worth: the state of the page, and how much of its content was probably found."""
