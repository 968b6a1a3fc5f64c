"""Random questions, asked in seven ways."""
