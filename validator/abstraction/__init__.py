"""From a game model to the abstract transition systems that proofs speak of."""
