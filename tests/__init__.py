"""The tests: tables of cases and laws."""
