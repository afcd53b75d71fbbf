"""Messages between a process and its worker: pickles with their length in front, over pipes.

Both ends belong to us: nothing that a stranger wrote is ever unpickled.
"""

import pickle
import struct
from typing import IO, Any

__all__ = ["receive", "send"]

_LENGTH = struct.Struct("!Q")


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message; raises `OSError` if the other end is gone."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; raises `EOFError` if the other end is gone."""
    return pickle.loads(_exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]))


def _exactly(stream: IO[bytes], n_bytes: int) -> bytes:
    data = stream.read(n_bytes)
    if data is None or len(data) < n_bytes:
        raise EOFError
    return data
