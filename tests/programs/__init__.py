"""Programs that a person runs, by make or by hand.

Pytest does not run them as a whole. The `test_*.py` files in this folder test the attacks, the bench and the strength
matches, and tests in other folders import parts of a program, such as the comparisons of `agreement`, or run a program
for a short time, such as `chaos.histories` and `simulation`.
"""
