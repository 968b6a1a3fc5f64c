"""The cases of openapi/conformance that are made from the service: `make cases`."""
