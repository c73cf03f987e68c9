"""Text as patterns see it: one spelling for what is written in several ways. A character stays one character."""

from __future__ import annotations

# Only the traditional characters that the patterns need; a converter for the whole script is a package of its own.
_TRADITIONAL = (
    "記別後從現這請發線檢忘時還嗎麼裡說幫無視擱們則舊點為設詞續繼總須務統歡訓問題結來體個會動漢過兩沒錄優號應該當慣"
)
_SIMPLIFIED = (
    "记别后从现这请发线检忘时还吗么里说帮无视搁们则旧点为设词续继总须务统欢训问题结来体个会动汉过两没录优号应该当惯"
)
_TABLE = {
    **{ord(old): new for old, new in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)},
    **{code: chr(code - 0xFEE0) for code in range(0xFF10, 0xFF5B) if chr(code - 0xFEE0).isalnum()},  # full width
    0x2018: "'",
    0x2019: "'",  # what phones make of an apostrophe
    0x3000: " ",
    0xA0: " ",
}


def fold(text: str) -> str:
    """`text` with the same length: simplified for traditional characters, plain apostrophes and spaces."""
    return text if text.isascii() else text.translate(_TABLE)
