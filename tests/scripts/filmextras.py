#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Adds data that FFmpeg does not write, and errors, to copies of files in this
folder: filmextras.py"""
import re
import struct

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


def add_captions(film):
    """CEA-608 captions, in a stream of H.264 with start codes."""
    return add_messages(film, b"\6", lambda unit: unit[0] & 31 in (1, 5)
                        and unit[1] & 0x80, caption)


def add_dolby(film, profile):
    """Dolby Vision: level 1, with metadata and a base layer, which is compatible
    with HDR10 or nothing."""
    bits = profile << 9 | 1 << 3 | 0b101
    return add_box(film, b"dvcC" if profile < 8 else b"dvvC",
                   struct.pack(">BBHB", 1, 0, bits, 16 * (profile == 8))
                   + bytes(19))


def turn(film):
    """Turned by a quarter: the matrix of the track's header, in 16.16 bits."""
    at = film.index(b"tkhd") + 44
    return film[:at] + struct.pack(">5i", 0, 65536, 0, -65536, 0) + film[at + 20:]


def cut_stream(film):
    """A transport stream without times of sound, one that ends within a packet
    in the middle, and one that ends between packets."""
    untimed, middle = bytearray(film), None
    for start in range(0, len(film), 188):
        packet = film[start:start + 188]
        part = start + (5 + packet[4] if packet[3] & 0x20 else 4)
        if packet[1] & 0x40 and film[part:part + 3] == b"\0\0\1" \
                and 0xc0 <= film[part + 3] < 0xe0:
            untimed[part + 7] &= 0x3f
            # The first packet of some in the middle.
            middle = start + 188 if start < len(film) / 2 else middle
    return untimed, film[:middle - 88], film[:middle]


def cut_end(film):
    """A .mkv without its last second, whose length was written before."""
    film = bytearray(film)
    segment = film.index(b"\x18\x53\x80\x67") + 4
    film[segment:segment + 8] = b"\1" + 7 * b"\xff"
    return film[:film.rindex(b"\x1f\x43\xb6\x75")]


def flip_bits(film):
    """Flips one bit of each hundred bytes in the middle, except container
    data."""
    film = bytearray(film)
    for at in range(len(film) // 3, len(film) * 3 // 4, len(film) // 20):
        film[at] ^= 16
    return film


def remove_key(film):
    """A stream of H.264 without its first key frame."""
    units = re.split(b"\0?\0\0\1", film)[1:]
    del units[next(n for n, unit in enumerate(units) if unit[0] & 31 == 5)]
    return b"".join(b"\0\0\0\1" + unit for unit in units)


def animate(film):
    """An animated WebP of two frames."""
    size = struct.pack("<I", 159)[:3] + struct.pack("<I", 119)[:3]
    frame = b"ANMF" + struct.pack("<I", 4 + len(film)) + bytes(6) + size \
        + struct.pack("<I", 40)[:3] + b"\0" + film[12:]
    body = b"WEBPVP8X" + struct.pack("<II", 10, 2) + size + b"ANIM" \
        + struct.pack("<IIH", 6, 0, 0) + 2 * frame
    return b"RIFF" + struct.pack("<I", len(body)) + body


FILMS = (
    ("plain.h264", add_captions, "captions.h264"),
    ("interlaced.h264", add_captions, "fields.h264"),
    ("plain.h265", lambda film: add_messages(
        film, b"\x4e\1", lambda unit: unit[0] >> 1 & 63 < 32 and unit[2] & 0x80,
        brightness), "plus.h265"),
    ("plain.mp4", lambda film: add_dolby(film, 5), "dolby-5.mp4"),
    ("plain.mp4", lambda film: add_dolby(film, 8), "dolby-8.mp4"),
    # Telemetry of a GoPro.
    ("text.mp4", lambda film: replace(replace(film, b"sbtl", b"meta"), b"tx3g",
                                      b"gpmd"), "telemetry.mp4"),
    ("bt709.mp4", lambda film: add_box(film, b"clap", struct.pack(
        ">8I", 128, 1, 104, 1, 0, 1, 0, 1)), "aperture.mp4"),
    # PixelCropLeft, in the place of the width for display.
    ("wide.mkv", lambda film: re.sub(b"\x54\xb0\x81.", b"\x54\xcc\x81\x08",
                                     film, count=1), "crop.mkv"),
    ("flat.mp4", turn, "turned.mp4"),
    ("whole.ts", lambda film: cut_stream(film)[0], "untimed.ts"),
    ("whole.ts", lambda film: cut_stream(film)[1], "torn.ts"),
    ("whole.ts", lambda film: cut_stream(film)[2], "half.ts"),
    ("long.mkv", cut_end, "cut.mkv"),
    ("flipped.avi", flip_bits, "bits.avi"),
    ("flipped.mp4", flip_bits, "bits.mp4"),
    ("flipped.mkv", flip_bits, "bits.mkv"),
    ("nokey.h264", remove_key, "keyless.h264"),
    ("still.webp", animate, "animated.webp"),
)


def main():
    """Makes all."""
    for name, change, output in FILMS:
        with open(name, "rb") as file:
            film = change(file.read())
        with open(output, "wb") as file:
            file.write(film)


if __name__ == "__main__":
    main()
