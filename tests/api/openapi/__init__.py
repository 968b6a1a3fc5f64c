"""The OpenAPI document, its examples, and the pages for people."""
