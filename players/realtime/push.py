"""The way of our own server to send an encoded text at once, as a connection's scope offers it (extension ``PUSH``).

And the address of the socket it looks after most.
"""

PERSON_PATH = "/ws/persona/"  # of the socket that says who is here: asked often whether anybody is still there (B1)
PUSH = "smazzata.push"  # {"text": what sends bytes of UTF-8, and returns whether it did}


def refuse_push(frame: bytes) -> bool:
    """Send nothing: the server has no quicker way than its own."""
    return False
