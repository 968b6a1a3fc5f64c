"""The commitment to a shuffle: a secret is promised before a deal by its hash, and shown after it.

Test vectors: openapi/conformance/cases/proofs.jsonl.
"""

from functools import lru_cache
from hashlib import sha256

from service.game.state import Seed


@lru_cache(maxsize=1024)
def commit(secret: Seed) -> str:
    """Return the commitment to a secret: SHA-256 of `catch-the-ten/commitment/SECRET`, in hexadecimal.

    >>> commit("secret")[:16]
    '95a0b80a876fe69b'
    """
    return sha256(f"catch-the-ten/commitment/{secret}".encode("ascii")).hexdigest()


def draw_seed_from(secret: Seed) -> Seed:
    """Return the seed of the draw for the first dealer: SHA-256 of `catch-the-ten/draw-seed/SECRET`, in hexadecimal.

    Shape: `secret` belongs to the first deal. The draw is shown at once and reveals nothing of the secret; later the
    commitment to the deal proves the draw, too.
    """
    return sha256(f"catch-the-ten/draw-seed/{secret}".encode("ascii")).hexdigest()


def seats_seed_from(secret: Seed, entropy: tuple[str, ...]) -> Seed:
    """Return the seed of a draw for seats: SHA-256 of `catch-the-ten/seats-seed/SECRET/E0/E1/…`, in hexadecimal.

    Shape: `entropy` by seat, as for a deal. The secret shuffles nothing, and is revealed with the draw.
    """
    return sha256("/".join(("catch-the-ten/seats-seed", secret, *entropy)).encode("ascii")).hexdigest()


def seed_from(secret: Seed, entropy: tuple[str, ...]) -> Seed:
    """Return the seed of a provable deal: SHA-256 of `catch-the-ten/seed/SECRET/E0/E1/…`, in hexadecimal.

    Shape: `entropy` by seat, of the characters of a seed (a slash is none of them), empty where a seat gave none.

    >>> seed_from("secret", ("a", ""))[:16]
    'fc9366cd64e69ddc'
    """
    return sha256("/".join(("catch-the-ten/seed", secret, *entropy)).encode("ascii")).hexdigest()
