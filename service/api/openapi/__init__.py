"""The OpenAPI document, built from the declarations of the operations."""
