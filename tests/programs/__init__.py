"""Programs that a person runs, by make or by hand.

Pytest does not run whole programs. The `test_*.py` files here test parts of four of them. Tests in other folders import
parts, such as the comparisons of `agreement`, or run a program briefly, such as `simulation`.
"""
