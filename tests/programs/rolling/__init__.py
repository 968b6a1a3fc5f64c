"""Two versions of the service side by side: the last release and this one, this one and one that has grown."""
