"""What a page holds, as data: posts of threads, items of lists, facts and links."""
