"""Who sees and knows what: views, logs, knowledge and resampling."""
