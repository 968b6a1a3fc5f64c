"""The layers around every request: metrics, request ids, CORS, API keys and quotas."""
