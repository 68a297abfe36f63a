"""What is checked of a game model at load."""
