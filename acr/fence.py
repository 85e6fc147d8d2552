"""A fence around the text ACR adds, which no text inside or after it can close, or open anew.

The tag is derived from the body: equal bodies give equal text, and prompt caches stay warm. That also
means that whoever knows ACR can work out the tag of a body and write it into that body in look-alike letters,
so that a plain comparison does not see it. So tags are compared by their skeletons: width, case, marks,
invisible signs and look-alikes taken away, much as UTS #39 has it for names.
"""

import re
import unicodedata
from hashlib import blake2b

_LOOKALIKES = str.maketrans(
    {
        sign: plain
        for plain, signs in {
            "a": "аɑαа₳ᴀ",
            "b": "ьвϐƅʙɓ",
            "c": "сϲᴄⅽç¢",
            "d": "ԁɗᴅⅾđ",
            "e": "еҽєεᴇɛ℮",
            "f": "ƒꜰϝғ",
            "i": "іıɪι",
            "k": "кκᴋ",
            "l": "ӏǀ|ʟ",
            "m": "мᴍⅿ",
            "n": "пηɴ",
            "o": "оοσօᴏ",
            "p": "рρᴘ",
            "r": "гᴦʀ",
            "s": "ѕꜱʂ",
            "t": "тτᴛ",
            "h": "һнʜհ",
            "v": "ѵνᴠ",
            "u": "υսᴜц",
            "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\u02d7\u30fc_~·",
        }.items()
        for sign in signs
    }
)
_DIGITS = str.maketrans({"o": "0", "l": "1", "i": "1", "s": "5", "z": "2", "з": "3", "б": "6", "g": "9"})
"""Letters that pass for digits. Both the tag and the text are read so, whichever was meant."""


def fenced(name: str, body: str, beside: str = "") -> str:
    """`body` between tags such as `<recap-3f9a21>`, which occur neither in it nor in the text `beside` it."""
    around = skeleton(body) + "\n" + skeleton(beside)
    salt = 0
    while True:
        digest = blake2b(f"{salt}\0{body}".encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
        if skeleton(digest) not in around:
            return f"<{name}-{digest}>\n{body}\n</{name}-{digest}>"
        salt += 1


def skeleton(text: str) -> str:
    """What is left of a text for the eye: letters and digits, all that look alike being the same."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    text = text.casefold()
    if not text.isascii():
        text = text.translate(_LOOKALIKES)
        text = "".join(map(_plain, text))
    text = text.translate(_DIGITS)
    return _NOTHING.sub("", text)


_NOTHING = re.compile(r"[\W_]+")


def _plain(sign: str) -> str:
    """Any script's digit as our own; marks and invisible signs as nothing."""
    if sign.isascii():
        return sign
    digit = unicodedata.digit(sign, None)
    if digit is not None:
        return str(digit)
    return "" if unicodedata.category(sign)[0] in "MC" else sign
