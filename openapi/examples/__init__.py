"""The examples of the OpenAPI document: their requests, and the maker of the file with the answers."""
