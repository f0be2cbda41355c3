"""The way of our own server to send an encoded text at once, as a connection's scope offers it (extension ``PUSH``)."""

PUSH = "smazzata.push"  # {"text": what sends bytes of UTF-8, and returns whether it did}


def refuse_push(frame: bytes) -> bool:
    """Send nothing: the server has no quicker way than its own."""
    return False
