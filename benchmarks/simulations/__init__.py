"""How often rocconf keeps what it promises, on cases whose truth is known."""
