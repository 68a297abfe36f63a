"""What sentences and conditions of a game model read and do, without following them."""
