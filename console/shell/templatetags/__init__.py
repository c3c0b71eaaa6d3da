"""The component tags, built in to every template."""
