"""The image, the compose file and the Kubernetes manifests are valid, and fit the console."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from console.launch.setup import ROOT
from tests.guards.test_settings import NAMES, SECRETS
from tests.launch.test_part import PARTS

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
FOLDER = DEPLOY / "kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
OBJECTS: list[dict[str, Any]] = [
    one
    for name in KUSTOMIZATION["resources"]
    for one in yaml.safe_load_all((FOLDER / name).read_text())
]
CLUSTER = "1.36"
SECRET_NAMES = set.union(*SECRETS.values())
# Made by the operator, by name: the files and keys in each.
OPERATORS = {"access-console-site", "access-console-owner", "access-console-seal"}


def pods() -> dict[str, dict[str, Any]]:
    """Return the pod of each part."""
    found = [one for one in OBJECTS if one["kind"] in ("Deployment", "Job")]
    return {
        one["metadata"]["name"].removeprefix("access-console-"): one["spec"]["template"]["spec"]
        for one in found
    }


def ours() -> dict[str, dict[str, Any]]:
    """Return the services of the compose file that run our image."""
    return {name: one for name, one in COMPOSE["services"].items() if "build" in one}


def test_the_compose_file_is_valid() -> None:
    import jsonschema  # takes seconds, and every worker imports this file

    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    rules = json.loads(schema.read_text())
    jsonschema.validators.validator_for(rules)(rules).validate(COMPOSE)


@pytest.mark.parametrize("one", OBJECTS, ids=lambda one: f"{one['kind']} {one['metadata']['name']}")
def test_kubernetes_accepts_each_object(one: dict[str, Any]) -> None:
    import kubernetes_validate  # takes seconds, and every worker imports this file

    kubernetes_validate.validate(one, CLUSTER, strict=True)


def test_every_manifest_is_applied() -> None:
    written = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == written


def test_each_part_runs_once() -> None:
    command = ["-m", "console.launch.part"]
    everything = {name: [*command, name] for name in [*PARTS, "prepare"]}
    assert {name: one["command"] for name, one in ours().items()} == everything
    assert {name: pod["containers"][0]["args"] for name, pod in pods().items()} == everything


def test_they_name_settings_that_exist_and_no_secret() -> None:
    (settings,) = (one["data"] for one in OBJECTS if one["kind"] == "ConfigMap")
    image = set(re.findall(r"^(?:ENV|   ) ([A-Z_]+)=", image_text(), re.MULTILINE))
    named = {*settings, *(name for one in ours().values() for name in one["environment"])}
    assert {"DATA_DIR", "STATIC_ROOT"} <= image
    assert (named | image) - NAMES - {
        "LANG",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
    } == set()
    assert named & SECRET_NAMES == set()


def test_only_prepare_reads_the_owners_password() -> None:
    for name, one in ours().items():
        assert ("owner.env" in one["env_file"]) == (name == "prepare")
    for name, pod in pods().items():
        read = {each["secretRef"]["name"] for each in pod["containers"][0]["envFrom"][1:]}
        assert ("access-console-owner" in read) == (name == "prepare")
        assert read <= OPERATORS


def test_bodies_that_nginx_stores_cannot_fill_the_machine() -> None:
    (tmp,) = COMPOSE["services"]["nginx"]["tmpfs"]
    assert re.search(r"size=1g\b", tmp)
    pod = pods()["web"]
    (nginx,) = (one for one in pod["containers"] if one["name"] == "nginx")
    (mounted,) = (one["name"] for one in nginx["volumeMounts"] if one["mountPath"] == "/tmp")
    (volume,) = (one["emptyDir"] for one in pod["volumes"] if one["name"] == mounted)
    # On disk, a full volume would end the pod. In memory, it counts as the container's own.
    assert volume == {"medium": "Memory", "sizeLimit": "1Gi"}
    assert nginx["resources"]["limits"]["memory"] == "1280Mi"


def test_only_the_parts_that_seal_get_the_seals_key() -> None:
    sealing = {"prepare", "worker"}
    assert {name for name, one in ours().items() if "seal.key" in one.get("secrets", ())} == sealing
    secrets = {
        (name, *(item["key"] for item in volume["secret"].get("items", [{"key": "seal.key"}])))
        for name, pod in pods().items()
        for volume in pod["volumes"]
        if volume.get("secret", {}).get("secretName") == "access-console-seal"
    }
    assert {name for name, *keys in secrets if "seal.key" in keys} == sealing


def test_every_container_is_confined() -> None:
    for name, one in {**ours(), "nginx": COMPOSE["services"]["nginx"]}.items():
        assert one["read_only"], name
        assert one["cap_drop"] == ["ALL"], name
    for name, pod in pods().items():
        assert pod["securityContext"]["runAsNonRoot"], name
        for container in pod["containers"]:
            limits = container["securityContext"]
            assert limits["readOnlyRootFilesystem"], name
            assert limits["capabilities"] == {"drop": ["ALL"]}, name


def test_no_pod_reaches_a_database_or_broker_of_others() -> None:
    rules = [
        rule
        for one in OBJECTS
        if one["kind"] == "NetworkPolicy"
        for rule in one["spec"].get("egress", ())
    ]
    everywhere = {"0.0.0.0/0", "::/0"}
    reached: dict[int, set[str]] = {}
    for rule in rules:
        assert rule["to"]
        for port in rule["ports"]:
            blocks = {to["ipBlock"]["cidr"] for to in rule["to"] if "ipBlock" in to}
            reached.setdefault(port["port"], set()).update(blocks)
    assert {port for port, blocks in reached.items() if blocks & everywhere} == {443, 587}
    assert all(block.endswith("/32") for port in (5432, 6379) for block in reached[port])


def test_the_broker_has_a_password_that_no_list_of_processes_shows() -> None:
    valkey = COMPOSE["services"]["valkey"]
    assert valkey["env_file"] == ["valkey.env"]
    *_, script = valkey["entrypoint"]
    assert "requirepass" in script.partition("|")[0]
    assert "PASSWORD" not in script.partition("|")[2]


def test_every_port_and_volume_exists() -> None:
    for name, pod in pods().items():
        opened = {
            port["containerPort"] for one in pod["containers"] for port in one.get("ports", ())
        }
        volumes = {one["name"] for one in pod["volumes"]}
        for container in pod["containers"]:
            assert {one["name"] for one in container["volumeMounts"]} <= volumes, name
            probes = [value for key, value in container.items() if key.endswith("Probe")]
            # Containers share a network, but a probe finds a name in its own container only.
            ports = opened | {port["name"] for port in container.get("ports", ())}
            assert {probe["httpGet"]["port"] for probe in probes} <= ports, name


def test_what_others_name_exists() -> None:
    """Services, budgets, autoscalers and network policies select pods that there are."""
    known = {*pods(), None}
    for one in OBJECTS:
        spec = one.get("spec", {})
        for part in re.findall(r"component': '(\w+)'", str(spec)):
            assert part in known, one["metadata"]["name"]
        if one["kind"] == "HorizontalPodAutoscaler":
            assert spec["scaleTargetRef"]["name"].removeprefix("access-console-") in known


def image_text() -> str:
    return (DEPLOY / "Containerfile").read_text()


def test_the_image_gets_the_code_and_nothing_else() -> None:
    """No settings file, no data, no history and no test is sent to the builder."""
    first, *kept = [
        line
        for line in (ROOT / ".containerignore").read_text().splitlines()
        if not line.startswith("#")
    ]
    allowed = {line[1:] for line in kept if line.startswith("!")}
    written = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert first == "*"
    assert {*written["tool"]["importlinter"]["root_packages"], "templates", "static"} <= allowed
    assert allowed & {".git", ".venv", "deploy", "docs", "tests", "var"} == set()
    assert Path(ROOT / ".dockerignore").resolve() == ROOT / ".containerignore"


def test_the_image_installs_the_production_lock_and_runs_as_nobody_known() -> None:
    assert "console.launch.setup --production" in image_text()
    assert re.search(r"^USER 10001:10001$", image_text(), re.MULTILINE)
    assert image_text().rindex("USER") > image_text().rindex("RUN")
