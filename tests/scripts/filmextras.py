#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Adds to films what FFmpeg does not write: filmextras.py KIND FILE OUTPUT

captions    CEA-608 captions to a stream of H.264 with start codes
hdr10plus   HDR10+ metadata to a stream of H.265 with start codes
aperture    a clean aperture of 128x104 to the video of a .mp4
dolby-5     Dolby Vision of profile 5 to the video of a .mp4
dolby-8     Dolby Vision of profile 8.1
telemetry   makes telemetry of a GoPro of the timed text of a .mp4
crop        makes PixelCropLeft of the width for display in a .mkv
"""
import re
import struct
import sys

PATH = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd")


def escape(data):
    """Bytes of a NAL unit, without start codes in it."""
    return re.sub(b"\0\0(?=[\0-\3])", b"\0\0\3", data)


def add_messages(film, header, is_first_slice, payload):
    """Adds an ITU-T T.35 message, payload(n), before frame n."""
    output = bytearray()
    number = 0
    for unit in re.split(b"\0?\0\0\1", film)[1:]:
        if is_first_slice(unit):
            data = payload(number)
            message = bytes([4, len(data)]) + data + b"\x80"
            output += b"\0\0\0\1" + header + escape(message)
            number += 1
        output += b"\0\0\0\1" + unit
    return output


def caption(number):
    """Two bytes of the text: loads, shows and clears."""
    text = [(0x14, 0x20), (0x14, 0x20), (0x14, 0x70), (0x14, 0x70), (0x48, 0x49),
            (0x14, 0x2f), (0x14, 0x2f)]
    pair = text[number] if number < len(text) else (0, 0)
    odd = bytes(byte | 0x80 * (bin(byte).count("1") % 2 == 0) for byte in pair)
    return b"\xb5\0\x31GA94\3" + b"\xc1\xff\xfc" + odd + b"\xff"


def brightness(number):
    """HDR10+ of one window."""
    bits = ""
    for n, value in ((8, 1), (2, 1), (27, 400), (1, 0), (17, 30000 + number),
                     (17, 0), (17, 1), (17, 2000), (4, 1), (7, 50), (17, 1000),
                     (10, 10), (1, 0), (1, 0), (1, 0)):
        bits += format(value, f"0{n}b")
    bits += "0" * (-len(bits) % 8)
    return b"\xb5\0\x3c\0\1\4" + bytes(int(bits[i:i + 8], 2)
                                       for i in range(0, len(bits), 8))


def add_box(film, kind, data):
    """Adds a box to the description of the first video."""
    film = bytearray(film)
    box = struct.pack(">I", 8 + len(data)) + kind + data
    start, end, sizes = 0, len(film), []
    for name in PATH:
        while film[start + 4:start + 8] != name:
            start += struct.unpack_from(">I", film, start)[0]
            assert start < end
        sizes.append(start)
        end = start + struct.unpack_from(">I", film, start)[0]
        start += 8
    start += 8
    sizes.append(start)
    place = start + struct.unpack_from(">I", film, start)[0]
    film[place:place] = box
    for size in sizes:
        old = struct.unpack_from(">I", film, size)[0]
        struct.pack_into(">I", film, size, old + len(box))
    return film


def replace(film, old, new):
    """Another value of the same size."""
    assert film.count(old) >= 1 and len(old) == len(new), old
    return film.replace(old, new)


def add(kind, film):
    """The film with what it is to have."""
    if kind == "captions":
        return add_messages(film, b"\6", lambda unit: unit[0] & 31 in (1, 5)
                            and unit[1] & 0x80, caption)
    if kind == "hdr10plus":
        return add_messages(film, b"\x4e\1", lambda unit: unit[0] >> 1 & 63 < 32
                            and unit[2] & 0x80, brightness)
    if kind == "aperture":
        return add_box(film, b"clap",
                       struct.pack(">8I", 128, 1, 104, 1, 0, 1, 0, 1))
    if kind.startswith("dolby"):
        profile = int(kind[-1])
        # Level 1, with metadata and a base layer, compatible with HDR10 or none.
        bits = profile << 9 | 1 << 3 | 0b101
        return add_box(film, b"dvcC" if profile < 8 else b"dvvC",
                       struct.pack(">BBHB", 1, 0, bits, 16 * (profile == 8))
                       + bytes(19))
    if kind == "telemetry":
        return replace(replace(film, b"sbtl", b"meta"), b"tx3g", b"gpmd")
    if kind == "crop":
        return re.sub(b"\x54\xb0\x81.", b"\x54\xcc\x81\x08", film, count=1)
    sys.exit(__doc__)


def main():
    """Does as the command line says."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[2], "rb") as file:
        film = add(sys.argv[1], file.read())
    with open(sys.argv[3], "wb") as file:
        file.write(film)


if __name__ == "__main__":
    main()
