"""Hosts on this machine: network namespaces on a bridge, whose cables can be pulled."""

import contextlib
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.proofs import is_full

NEEDED = (
    "Several hosts need network namespaces: run as root, with CAP_NET_ADMIN and CAP_SYS_ADMIN, "
    "where `iproute2` is installed."
)


class Host:
    """A network namespace with one address and one cable."""

    def __init__(self, network: "Network", name: str, number: int) -> None:
        self.name, self.address = name, f"{network.prefix}.{number}"
        self.namespace = f"{network.name}{name}"
        self.cable = f"{self.namespace}0"  # its end at the bridge
        _ip(f"netns add {self.namespace}")
        inside = f"-n {self.namespace}"
        _ip(f"link add {self.cable} type veth peer name eth0 netns {self.namespace}")
        _ip(f"link set {self.cable} master {network.name} up")
        _ip(f"{inside} address add {self.address}/24 dev eth0")
        for device in ("lo", "eth0"):
            _ip(f"{inside} link set {device} up")

    def inside(self, command: list[str]) -> list[str]:
        """Return the command that runs this one on the host."""
        return ["ip", "netns", "exec", self.namespace, *command]

    def cut_off(self) -> None:
        """Lose every packet from now on. Nobody is told, so connections hang."""
        _ip(f"link set {self.cable} nomaster")

    def come_back(self, network: "Network") -> None:
        _ip(f"link set {self.cable} master {network.name}")

    def is_forgotten(self) -> None:
        """End its connections at the services only, as their own limits do in a long cut."""
        subprocess.run(["ss", "-K", "dst", self.address], check=True, capture_output=True)

    def listens(self, port: int) -> bool:
        said = subprocess.run(self.inside(["ss", "-Hltn"]), check=True, capture_output=True)
        return f":{port} ".encode() in said.stdout


class Network:
    """A bridge to which this machine is connected too, with the address `address`."""

    def __init__(self) -> None:
        number = secrets.randbelow(250) + 1
        self.name, self.prefix = f"acb{number}", f"10.213.{number}"
        self.address = f"{self.prefix}.1"
        self.hosts: list[Host] = []

    def start(self) -> None:
        _ip(f"link add {self.name} type bridge")
        _ip(f"address add {self.address}/24 dev {self.name}")
        _ip(f"link set {self.name} up")

    def a_host(self, name: str) -> Host:
        host = Host(self, name, 2 + len(self.hosts))
        self.hosts.append(host)
        return host

    def stop(self) -> None:
        for host in self.hosts:
            _ip(f"netns delete {host.namespace}")
        _ip(f"link delete {self.name}")


@contextmanager
def opened() -> Iterator[Network]:
    """Yield a network. Where the kernel refuses, fail in `make prove` and skip in `make test`."""
    network = Network()
    try:
        network.start()
    except (OSError, subprocess.CalledProcessError):
        if is_full():
            pytest.fail(NEEDED)
        pytest.skip(NEEDED)
    try:
        yield network
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            network.stop()


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True)
