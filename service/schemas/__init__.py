"""Answers as they are sent: only here do numbers and masks become codes and words."""
