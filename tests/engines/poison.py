"""Tasks that go wrong in every way we know, for the tests of the engines."""

import ctypes
import os
import signal
import sys
import time


def act(payload):
    """Square a number, or misbehave as told."""
    if isinstance(payload, (int, float)):
        return payload * payload
    kind, *rest = payload
    if kind == "exit":
        os._exit(3)
    if kind == "segfault":
        ctypes.string_at(0)
    if kind == "system exit":
        sys.exit("enough")
    if kind == "raise":
        raise ValueError("a bad value")
    if kind == "memory":
        return len(bytearray(20 * 2**30))
    if kind == "endless":
        while True:
            time.sleep(0.01)
    if kind == "sleep":
        time.sleep(rest[0])
        return os.getpid()
    if kind == "once":  # ends its process the first time only
        if not os.path.exists(rest[0]):
            open(rest[0], "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return "survived"
    if kind == "no data":
        from weaklearn.engines import NoDataHere

        raise NoDataHere("sonar")
    if kind == "unpicklable":
        return lambda: None
    if kind == "print":
        print("noise " * 1000)
        return input() if rest else None
    raise AssertionError(kind)


def add(payload, shared):
    """Use the shared argument."""
    return payload + shared["offset"]


def whereami(payload):
    """The pid, after a moment."""
    time.sleep(payload)
    return os.getpid()
