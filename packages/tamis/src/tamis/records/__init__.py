"""What a page holds, as records: posts of a thread and comments below an article."""
