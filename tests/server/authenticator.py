"""A passkey device in software, as honest or dishonest as a test wants it."""

import base64
import hashlib
import json
import random

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

_dice = random.Random("passkeys")  # each device gets others


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """One passkey: `make` answers `navigator.credentials.create()`, `use` answers `navigator.credentials.get()`."""

    def __init__(self, origin, place="localhost", counter=1):
        self.origin, self.place, self.counter = origin, place, counter
        self.id, self._key, self.owner = _dice.randbytes(32), ec.derive_private_key(1 + _dice.getrandbits(255), ec.SECP256R1()), None

    def _client(self, kind, options, **more):
        told = {"type": f"webauthn.{kind}", "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False} | more
        return json.dumps(told).encode()

    def _data(self, flags, more=b""):
        return hashlib.sha256(self.place.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big") + more

    def make(self, options, verified=True, **client):
        self.owner = options["user"]["id"]
        numbers = self._key.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        data = self._data(0x45 if verified else 0x41, bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key)
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(clientDataJSON=base64url(self._client("create", options, **client)), attestationObject=base64url(made))

    def use(self, options, verified=True, owner=None, steps=1, **client):
        self.counter += steps
        told, data = self._client("get", options, **client), self._data(0x05 if verified else 0x01)
        signed = self._key.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=base64url(told), authenticatorData=base64url(data), signature=base64url(signed), userHandle=owner or self.owner)

    def _answer(self, **response):
        return {"id": base64url(self.id), "rawId": base64url(self.id), "type": "public-key", "response": response}
