"""Claims of a seat to tricks or points of the rest of a deal, tried against every play."""
