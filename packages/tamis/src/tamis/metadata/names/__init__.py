"""Names of people: cleaned, compared, and told from outlets, jobs and accounts."""
