"""From the game model to the flat program."""
