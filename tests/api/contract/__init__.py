"""The contract test: schemathesis asks the running service everything that its OpenAPI document allows, and more."""
