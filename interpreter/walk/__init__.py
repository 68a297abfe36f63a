"""Walking decisions: counting, listing, drawing and checking what may be picked."""
