"""Claims: a seat claims tricks or points of the rest of a deal; does that hold against every play?"""
