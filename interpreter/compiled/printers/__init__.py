"""From the flat program to the languages of machines."""
