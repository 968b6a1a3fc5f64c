"""Questions about hidden cards and future play: suggestions, claims, analyses, knowledge."""
