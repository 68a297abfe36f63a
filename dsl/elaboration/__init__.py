"""From a composed tree to the game model: names, types, options and control."""
