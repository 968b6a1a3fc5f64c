"""How much work an answer takes, counted and not timed: what `make bench` measures in seconds must stay so."""
