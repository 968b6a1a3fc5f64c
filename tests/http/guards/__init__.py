"""The middleware before every endpoint: API keys, rate limits, CORS."""
