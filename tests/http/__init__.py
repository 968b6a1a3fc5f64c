"""All that endpoints share: methods, formats, bodies, limits, problems."""
