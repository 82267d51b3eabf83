"""What trained networks need to run: scaling, convolutions and exact decoding in NumPy, without torch."""
