"""Settings of drf-spectacular, which writes the contract of the API."""

from collections.abc import Mapping
from typing import Any


def spectacular(base_url: str, version: str, roots: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings, for the address of the console and the base path of each environment."""
    return {
        "COMPONENT_SPLIT_PATCH": False,  # PATCH operations declare their own request schemas
        "OAS_VERSION": "3.1.0",
        "GET_MOCK_REQUEST": "api.schema.no_request",
        "TITLE": "Business payments API",
        "VERSION": version,
        "LICENSE": {"name": "MIT License", "identifier": "MIT"},
        "SERVERS": [
            {"url": base_url + root, "description": environment.capitalize()}
            for environment, root in roots.items()
        ],
        "APPEND_COMPONENTS": {
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "<key_id>:<secret>",
                    "description": "A key of the console: its id, a colon and its secret.",
                }
            }
        },
        "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
        # Replaces the default hook, so that enumerations stay inline.
        "POSTPROCESSING_HOOKS": ["api.reference.openapi.without_marks"],
    }
