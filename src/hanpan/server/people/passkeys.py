"""Passkeys (WebAuthn): what a browser is asked, and whether its answer holds. Who is asked for what, and once only, is decided in `second_factor.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.options_to_json_dict import options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest
from hanpan.server.settings import Settings
from hanpan.server.storage.factors import Passkey
from hanpan.server.storage.models import Person

SECONDS = 300.0  # that a browser may take to answer


_BASE64 = r"^[A-Za-z0-9_-]+$"
Handle = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=_BASE64)]
Credential = Annotated[str, StringConstraints(min_length=1, max_length=1400, pattern=_BASE64)]
Bytes = Annotated[str, StringConstraints(min_length=1, max_length=4000, pattern=_BASE64)]
ManyBytes = Annotated[str, StringConstraints(min_length=1, max_length=16000, pattern=_BASE64)]


class _Answer(ClientRequest):
    id: Credential
    rawId: Credential
    type: Literal["public-key"]
    authenticatorAttachment: Annotated[str, StringConstraints(max_length=40)] | None = None
    clientExtensionResults: dict[str, object] | None = Field(default=None, description="not read")


class _MadeResponse(ClientRequest):
    clientDataJSON: Bytes
    attestationObject: ManyBytes
    transports: list[Annotated[str, StringConstraints(max_length=40)]] | None = Field(default=None, max_length=10)
    authenticatorData: ManyBytes | None = Field(default=None, description="not read")
    publicKey: ManyBytes | None = Field(default=None, description="not read")
    publicKeyAlgorithm: int | None = Field(default=None, description="not read")


class Made(_Answer):
    """What `navigator.credentials.create()` gives, as its `toJSON()` writes it."""

    response: _MadeResponse


class _UsedResponse(ClientRequest):
    clientDataJSON: Bytes
    authenticatorData: Bytes
    signature: Bytes
    userHandle: Handle | None = None


class Used(_Answer):
    """What `navigator.credentials.get()` gives, as its `toJSON()` writes it."""

    response: _UsedResponse


class Passkeys:
    """The relying party: the public address."""

    def __init__(self, settings: Settings) -> None:
        where = urlsplit(settings.public)
        self.place, self._origin = where.hostname or "localhost", f"{where.scheme}://{where.netloc}"

    def to_make(self, person: Person, challenge: str, known: Iterable[Passkey]) -> dict[str, object]:
        """What a browser is asked to make a passkey."""
        wanted = AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED)
        return options_to_json_dict(
            generate_registration_options(
                rp_id=self.place, rp_name="Hanpan", user_id=person.id.encode(), user_name=person.name, challenge=base64url_to_bytes(challenge),
                timeout=int(SECONDS * 1000), authenticator_selection=wanted, exclude_credentials=_listed(known),
            )
        )  # fmt: skip

    def to_use(self, challenge: str, known: Iterable[Passkey] = (), alone: bool = False) -> dict[str, object]:
        """What a browser is asked to use one: any that it has for this place, or one of those known. `alone`: it must know its owner, too."""
        verification = UserVerificationRequirement.REQUIRED if alone else UserVerificationRequirement.PREFERRED
        return options_to_json_dict(
            generate_authentication_options(
                rp_id=self.place, challenge=base64url_to_bytes(challenge), timeout=int(SECONDS * 1000), allow_credentials=_listed(known),
                user_verification=verification,
            )
        )  # fmt: skip

    def made(self, answer: Made, challenge: str) -> tuple[str, str, int]:
        """A new passkey: its id, its public key, its counter. Refused unless it was made here, for this challenge."""
        try:
            told = verify_registration_response(
                credential=answer.model_dump(), expected_challenge=base64url_to_bytes(challenge), expected_rp_id=self.place, expected_origin=self._origin
            )
        except Exception as wrong:  # whatever is wrong with the bytes of a stranger
            raise Refused("wrong-passkey") from wrong
        return bytes_to_base64url(told.credential_id), bytes_to_base64url(told.credential_public_key), told.sign_count

    def used(self, answer: Used, challenge: str, known: Passkey, alone: bool = False) -> int:
        """The counter of a passkey after this use. Refused unless it was used here, by its owner, for this challenge, and has counted on."""
        owner = answer.response.userHandle
        if owner is not None and owner != bytes_to_base64url(known.person_id.encode()):
            raise Refused("wrong-passkey")
        try:
            told = verify_authentication_response(
                credential=answer.model_dump(), expected_challenge=base64url_to_bytes(challenge), expected_rp_id=self.place, expected_origin=self._origin,
                credential_public_key=base64url_to_bytes(known.public_key), credential_current_sign_count=known.counter, require_user_verification=alone,
            )  # fmt: skip
        except Exception as wrong:
            raise Refused("wrong-passkey") from wrong
        return told.new_sign_count


def challenge_in(answer: Made | Used) -> str:
    """The challenge that an answer is for. A page inside another site's page is not answered for."""
    try:
        told = json.loads(base64url_to_bytes(answer.response.clientDataJSON))
        challenge, crossed = told["challenge"], told.get("crossOrigin", False)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        raise Refused("wrong-passkey") from wrong
    if not isinstance(challenge, str) or len(challenge) > 100 or not challenge.isascii() or crossed is not False:
        raise Refused("wrong-passkey")
    return challenge


def _listed(known: Iterable[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(key.credential)) for key in known]
