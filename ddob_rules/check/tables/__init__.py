"""Decision tables and charts, with their gaps and overlaps."""
