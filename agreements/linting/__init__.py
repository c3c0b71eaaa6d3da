"""The rules that every template version keeps before it is published."""
