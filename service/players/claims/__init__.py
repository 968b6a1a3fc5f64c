"""Claims: a seat claims tricks or points of the rest of a deal, and hears if that holds against every play."""
