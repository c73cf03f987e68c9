"""Search: a question in, ranked hits out. Reads the catalog and the vectors, writes nothing. Light: the cold path runs it."""
