"""A fence around the text ACR adds, which no text inside can close."""

from hashlib import blake2b


def fenced(name: str, body: str) -> str:
    """`body` between tags such as `<recap-3f9a21>`. The tag is derived from the body, so equal bodies give
    equal text (prompt caches stay warm), and it never occurs in the body itself.
    """
    salt = 0
    while True:
        digest = blake2b(f"{salt}\0{body}".encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
        tag = f"{name}-{digest}"
        if tag not in body:
            return f"<{tag}>\n{body}\n</{tag}>"
        salt += 1
