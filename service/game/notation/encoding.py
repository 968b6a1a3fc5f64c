"""The bytes of a text: UTF-8, with or without a byte order mark. UTF-16 is told apart."""

from typing import Final

MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some editors write before UTF-8."""
SAVE_AS_UTF_8: Final = "The text is UTF-16: save it as UTF-8"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class NotUtf8(ValueError):
    """Bytes are no UTF-8."""


def drop_mark(raw: bytes) -> bytes:
    """Return bytes without the byte order mark before them.

    >>> drop_mark(MARK + b"{}"), drop_mark(b"{}")
    (b'{}', b'{}')
    """
    return raw.removeprefix(MARK)


def is_utf_16(raw: bytes) -> bool:
    """Return True for the bytes of a text in UTF-16, with a byte order mark or a first character of ASCII.

    >>> is_utf_16("{}".encode("utf-16-be")), is_utf_16(b"{}")
    (True, False)
    """
    return raw[:2] in _UTF_16 or 0 in raw[:2]


def decode_text(raw: bytes) -> str:
    """Return the text of bytes, without a byte order mark.

    Errors: NotUtf8.
    """
    if is_utf_16(raw):
        raise NotUtf8(SAVE_AS_UTF_8)
    try:
        return drop_mark(raw).decode()
    except UnicodeDecodeError as exc:
        raise NotUtf8(f"The text is not UTF-8: {exc}") from exc
