// Replaced by the first conversion.
