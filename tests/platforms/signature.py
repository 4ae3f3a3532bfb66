#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""signature.py LIBRARY: checks that the signature in a Mach-O file matches its pages, as macOS requires on arm64.

Prints errors.
"""
import hashlib
import struct
import sys

LC_CODE_SIGNATURE, CODE_DIRECTORY, SHA256 = 0x1D, 0xFADE0C02, 2


def signature(data):
    """The position of the signature, from its load command."""
    at, count = 32, struct.unpack_from("<I", data, 16)[0]
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, at)
        if command == LC_CODE_SIGNATURE:
            return struct.unpack_from("<I", data, at + 8)[0]
        at += size
    return None


def wrong(data):
    start = signature(data)
    if start is None:
        return "there is no signature"
    for i in range(struct.unpack_from(">I", data, start + 8)[0]):
        here = start + struct.unpack_from(">I", data, start + 16 + 8 * i)[0]
        if struct.unpack_from(">I", data, here)[0] != CODE_DIRECTORY:
            continue
        hashes, _, _, slots, limit = struct.unpack_from(">5I", data, here + 16)
        size, kind, _, page = struct.unpack_from("4B", data, here + 36)
        if kind != SHA256 or size != 32:
            return f"hashes of kind {kind}"
        if limit != start or slots != (limit + (1 << page) - 1) >> page:
            return f"{slots} pages of {limit} bytes are signed, the signature begins at {start}"
        for slot in range(slots):
            first = slot << page
            stored = here + hashes + 32 * slot
            if hashlib.sha256(data[first:min(first + (1 << page), limit)]).digest() != data[stored:stored + 32]:
                return f"page {slot} is not the one that was signed"
        return ""
    return "the signature has no code directory"


print(wrong(open(sys.argv[1], "rb").read()), end="")
