"""Numbers in, frozen results out: the one door to everything rocconf computes."""
