"""The operations as tools of the Model Context Protocol, at POST /mcp."""
