"""The functions of other extractors, with their names and keywords, over `tamis.extract`."""
