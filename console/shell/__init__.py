"""The frame around every page: navigation, components, errors, mail."""
