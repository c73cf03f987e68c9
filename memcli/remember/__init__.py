"""What is worth remembering, and what must not be kept: text in, verdict out. Touches no disk and prints nothing."""
