"""The business's side of an application: answers, section forms, steps and their pages."""
