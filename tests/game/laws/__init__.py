"""Laws: what holds in every deal, found out by hypothesis."""
