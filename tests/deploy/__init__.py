"""The files of deploy/, held to what they say."""
