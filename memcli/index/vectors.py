class Vectors:
    pass
