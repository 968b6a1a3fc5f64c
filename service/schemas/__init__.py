"""The types of answers: only here do numbers and masks become codes and words."""
