"""Page-Level Main Content Extraction from Heterogeneous Webpages (Alarte, Silva; 2020)."""
