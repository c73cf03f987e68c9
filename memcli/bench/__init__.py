"""`mem bench`: how well and how fast searches answer questions whose answers are known."""
