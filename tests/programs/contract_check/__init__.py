"""The code that client teams generate from the OpenAPI document, by their generators, linters and mocks."""
