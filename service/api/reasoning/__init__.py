"""Questions about what is hidden or to come: suggestions, claims, analyses, and what a seat can know."""
