"""What the scripts beside this folder share: made-up homes, processes measured, tables. `make bench` runs the scripts."""
