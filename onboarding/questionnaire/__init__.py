"""The questionnaire: editions as data, their types, and the validation of answers."""
