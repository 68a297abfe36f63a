"""Whether somebody who has to choose always has a legal move."""
