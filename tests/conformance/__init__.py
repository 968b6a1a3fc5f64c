"""The cases of openapi/conformance: how they are made, and that the service and the second engine pass them."""
