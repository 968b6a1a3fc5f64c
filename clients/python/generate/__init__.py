"""The generator of the modules that follow from the OpenAPI document; no part of the package."""
