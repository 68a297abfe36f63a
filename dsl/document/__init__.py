"""From files to one composed tree of positioned values, checked as shape."""
