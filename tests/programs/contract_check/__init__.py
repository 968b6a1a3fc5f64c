"""What client teams generate from the OpenAPI document, by the generators, linters and mocks that they use."""
