"""From the first question to a scored and cleared submission."""
