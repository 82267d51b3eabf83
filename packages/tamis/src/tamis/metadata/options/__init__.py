"""The possible values of title, authors, dates and name of the site, each with the features that the weights judge."""
