"""The composition root: opens what a command asks for, and nothing else. Importing it loads neither half."""
