"""The resources: every question and every call on a live game, over HTTP."""
