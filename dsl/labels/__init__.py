"""Label files: what things are called and told for people."""
