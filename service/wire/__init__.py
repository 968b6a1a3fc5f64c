"""Answers as they go over the wire: the only room in which numbers and masks become codes and words."""
