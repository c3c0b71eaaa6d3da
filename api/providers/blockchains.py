"""Supported blockchains: their assets and address formats.

Addresses of the Ethereum family may contain a checksum in their letter case (EIP-55). None of our
libraries computes it, so only the format is checked there. The other formats detect all or most
typing errors.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from stdnum.bitcoin import b58decode

from api.providers.interface import NoProvider

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_EVM = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_TRON = re.compile(rf"T[{_BASE58}]{{33}}", re.ASCII)
_SOLANA = re.compile(rf"[{_BASE58}]{{32,44}}", re.ASCII)
# First byte of a decoded Tron address.
_TRON_VERSION = b"\x41"
_ACCOUNT, _SOLANA_KEY, _CHECKSUM = 20, 32, 4


@dataclass(frozen=True)
class AddressForm:
    """An address format: `fits` validates a text, `write` makes an address from 32 bytes."""

    fits: Callable[[str], bool]
    write: Callable[[bytes], str]


def _is_evm(address: str) -> bool:
    return bool(_EVM.fullmatch(address)) and int(address, 16) != 0


def _is_tron(address: str) -> bool:
    if not _TRON.fullmatch(address):
        return False
    decoded = b58decode(address)
    return (
        len(decoded) == len(_TRON_VERSION) + _ACCOUNT + _CHECKSUM
        and decoded.startswith(_TRON_VERSION)
        and decoded[-_CHECKSUM:] == _checksum(decoded[:-_CHECKSUM])
    )


def _is_solana(address: str) -> bool:
    return bool(_SOLANA.fullmatch(address)) and len(b58decode(address)) == _SOLANA_KEY


def _tron(seed: bytes) -> str:
    account = _TRON_VERSION + seed[:_ACCOUNT]
    return _base58(account + _checksum(account))


def _checksum(of: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(of).digest()).digest()[:_CHECKSUM]


def _base58(data: bytes) -> str:
    number, letters = int.from_bytes(data), ""
    while number:
        number, letter = divmod(number, len(_BASE58))
        letters = _BASE58[letter] + letters
    return _BASE58[0] * (len(data) - len(data.lstrip(b"\0"))) + letters


EVM = AddressForm(_is_evm, lambda seed: f"0x{seed[:_ACCOUNT].hex()}")
TRON = AddressForm(_is_tron, _tron)
SOLANA = AddressForm(_is_solana, _base58)


@dataclass(frozen=True)
class CryptoNetwork:
    """A blockchain, by its name in the API."""

    word: str
    assets: frozenset[str]
    form: AddressForm


NETWORKS = {
    one.word: one
    for one in (
        CryptoNetwork("ethereum", frozenset({"USDT", "USDC"}), EVM),
        CryptoNetwork("polygon", frozenset({"USDT", "USDC", "cNGN"}), EVM),
        CryptoNetwork("bsc", frozenset({"USDT", "cNGN"}), EVM),
        CryptoNetwork("base", frozenset({"USDC", "cNGN"}), EVM),
        CryptoNetwork("tron", frozenset({"USDT"}), TRON),
        CryptoNetwork("solana", frozenset({"USDT", "USDC"}), SOLANA),
    )
}


def require(asset: str, network: str) -> CryptoNetwork:
    """Return the network. Raises NoProvider if it does not carry the asset."""
    if asset not in NETWORKS[network].assets:
        raise NoProvider(
            f"{asset} is not available on {network}.",
            field="network",
            reason="network_not_available",
        )
    return NETWORKS[network]


def networks_of(asset: str) -> list[str]:
    """Return the networks on which one address can receive an asset: those of one format."""
    carrying = [one for one in NETWORKS.values() if asset in one.assets]
    return [one.word for one in carrying if one.form is carrying[0].form]
