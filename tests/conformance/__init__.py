"""The cases of openapi/conformance: the service and the second engine pass them, and no wrong engine does."""
