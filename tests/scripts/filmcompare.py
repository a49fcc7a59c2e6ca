#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lists the data missing in outputs: filmcompare.py FIRST PAIR...

A PAIR is FILM:SUFFIX, with the output kept/FILM.SUFFIX. Compares the data that
FFmpeg reads from both: the tracks with their packets, times, flags, tags and
colours, the frames of the video, chapters, attached files. The coding of the
video may differ. Prints TAP from the number FIRST on, with each difference."""
import functools
import json
import subprocess
import sys

# A sound's codec may begin this long before the film, in seconds. Then all
# times are shifted. Times are rounded to milliseconds.
MAX_SHIFT = 0.0251
ROUNDING = 0.0021
COLORS = ("color_range", "color_space", "color_transfer", "color_primaries",
          "chroma_location")
USUAL = {"color_range": "tv", "chroma_location": "left"}
TAGS = ("language", "title", "timecode", "TIMECODE")
FILM_TAGS = ("title", "artist", "comment", "date", "genre", "album")
# Data that an output cannot have, by film, or by film and suffix. Other formats
# become Y'CbCr, with its tags. The chroma location has no meaning without
# subsampled rows. The sizes of buffers are those of the codec. The headers of
# each packet are in the container. Each frame of DV has the same timecode.
MAY_DIFFER = {
    "moving.apng": ["video 1, color_"],
    "moving.gif": ["video 1, color_"],
    "still.png": ["video 1, color_"],
    "mjpeg.avi": ["chroma_location"],
    "packed.avi": ["CPB properties"],
    "program.mpg": ["CPB properties"],
    "trimmed.ts": ["(aac): packets differ"],
    "raw.dv": ["tags: {}, now {'timecode'"],
    "chapters.mp4:mkv": ["becomes subrip"],
    "discs.mkv:mp4": ["number of others: 1, now 0"],
    "whole.ts:mp4": ["(mp2): becomes mp3"],
    "surround.mkv:mp4": ["becomes aac", "times: "],
    "wma.asf:mp4": ["becomes aac", "times: "],
    "sounds.mkv:mp4": [f"({codec}): {what}" for codec in ("pcm_s24le", "wavpack")
                       for what in ("becomes aac", "times: ")],
    "tracks.mkv:mp4": ["becomes mov_text", "files and covers", "(ass), flags"],
}


def probe(path):
    """Returns the output of ffprobe as an object."""
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", "-show_streams",
         "-show_format", "-show_chapters", "-show_packets", "-show_data_hash",
         "md5", "-show_entries",
         "frame=media_type,stream_index,best_effort_timestamp_time", path],
        check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
    return json.loads(text)


def get_tags(thing, names):
    """Returns some of the tags, except the language "und"."""
    tags = {name.lower(): value for name, value in thing.get("tags", {}).items()}
    # A .mp4 has no other place for the name of a track.
    if not tags.get("handler_name", "Handler").endswith("Handler"):
        tags.setdefault("title", tags["handler_name"])
    found = {name.lower(): tags[name.lower()] for name in names
             if name.lower() in tags}
    if found.get("language") == "und":
        del found["language"]
    return found


class Film:
    """Returns the data of a file."""

    def __init__(self, path):
        found = probe(path)
        read = found.get("packets_and_frames", [])
        self.format = found["format"]
        self.chapters = found["chapters"]
        self.packets = {}
        for packet in (part for part in read if part["type"] == "packet"):
            # Packets hidden by an edit list, except those needed by the first
            # audio frame.
            length = float(packet.get("duration_time", 0))
            if ("D" not in packet.get("flags", "")
                    or float(packet["pts_time"]) + length > -0.001):
                self.packets.setdefault(packet["stream_index"],
                                        []).append(packet)
        streams = found["streams"]
        self.covers = [s for s in streams
                       if s["disposition"].get("attached_pic")]
        self.videos = [s for s in streams if s["codec_type"] == "video"
                       and s not in self.covers]
        self.others = [s for s in streams
                       if s["codec_type"] in ("audio", "subtitle")]
        self.files = [s for s in streams if s["codec_type"] == "attachment"]
        self.frames = {}
        for frame in read:
            if frame.get("media_type") == "video":
                self.frames.setdefault(frame["stream_index"], []).append(
                    float(frame.get("best_effort_timestamp_time", "nan")))

    def get_times(self, stream):
        """The times of the packets, in order, except empty subtitles."""
        return sorted(float(packet["pts_time"])
                      for packet in self.packets.get(stream["index"], [])
                      if "pts_time" in packet and int(packet["size"]) > 2)

    def get_hashes(self, stream):
        """The packets."""
        return [packet["data_hash"]
                for packet in self.packets.get(stream["index"], [])]


def compare_times(name, before, after, shift):
    """One line if times differ."""
    if len(before) != len(after):
        yield f"{name}: times: {len(before)}, now {len(after)}"
        return
    worst = max((abs(b + shift - a) for b, a in zip(before, after)),
                default=0)
    if worst > ROUNDING:
        yield f"{name}: times differ by {worst:.3f} s"


def compare_values(name, before, after):
    """One line if values differ."""
    if before != after:
        yield f"{name}: {before}, now {after}"


def compare_flags(name, before, after, output):
    """The flags of two tracks. In a .mp4 some track is always a default."""
    ignored = "default" if "mp4" in output.format["format_name"] else None
    flags = [sorted(flag for flag, value in stream["disposition"].items()
                    if value and flag != ignored) for stream in (before, after)]
    yield from compare_values(f"{name}, flags", *flags)


def get_color(stream, key):
    """Defaults of decoders for colours, because usual values are not always
    written."""
    value = stream.get(key, "unspecified").replace("unknown", "unspecified")
    if (key, value) in (("color_range", "unspecified"),
                        ("chroma_location", "unspecified")):
        return USUAL[key]
    return value


def compare_videos(film, output, shift):
    """The video tracks."""
    for n, (before, after) in enumerate(zip(film.videos, output.videos), 1):
        name = f"video {n}"
        yield from compare_times(f"{name}, frames",
                                 film.frames.get(before["index"], []),
                                 output.frames.get(after["index"], []), shift)
        aspects = [stream.get("sample_aspect_ratio", "1:1").replace(
            "0:1", "1:1") for stream in (before, after)]
        yield from compare_values(f"{name}, pixel aspect", *aspects)
        for key in COLORS:
            yield from compare_values(f"{name}, {key}", get_color(before, key),
                                      get_color(after, key))
        kinds = [{data["side_data_type"]
                  for data in stream.get("side_data_list", [])}
                 for stream in (before, after)]
        lost = sorted(kinds[0] - kinds[1])
        if lost:
            yield f"{name}, without {lost}"


def compare_others(film, output, shift):
    """Sound and subtitles."""
    for n, (before, after) in enumerate(zip(film.others, output.others), 1):
        name = f"track {n} ({before['codec_name']})"
        yield from compare_times(name, film.get_times(before),
                                 output.get_times(after), shift)
        if before["codec_name"] != after["codec_name"]:
            yield f"{name}: becomes {after['codec_name']}"
        elif film.get_hashes(before) != output.get_hashes(after):
            yield f"{name}: packets differ"


def find_shift(film, output):
    """The shift of all times, from the first video."""
    for before, after in zip(film.videos, output.videos):
        times = (film.frames.get(before["index"]),
                 output.frames.get(after["index"]))
        if all(times):
            return times[1][0] - times[0][0]
    return 0


def compare(film, output):
    """All lines."""
    start = (float(film.format.get("start_time", 0))
             if film.format["format_name"] in ("mpegts", "mpeg") else 0)
    shift = find_shift(film, output)
    if abs(shift + start) > MAX_SHIFT:
        yield f"all times are {shift + start:.3f} s later"
    for kind in ("videos", "others"):
        yield from compare_values(f"number of {kind}", len(getattr(film, kind)),
                                  len(getattr(output, kind)))
    # Matroska keeps covers as files.
    yield from compare_values("files and covers",
                              len(film.files) + len(film.covers),
                              len(output.files) + len(output.covers))
    yield from compare_videos(film, output, shift)
    yield from compare_others(film, output, shift)
    for before, after in zip(film.videos + film.others,
                             output.videos + output.others):
        name = f"{before['codec_type']} ({before['codec_name']})"
        yield from compare_flags(name, before, after, output)
        yield from compare_values(f"{name}, tags", get_tags(before, TAGS),
                                  get_tags(after, TAGS))
    yield from compare_values("tags", get_tags(film.format, FILM_TAGS),
                              get_tags(output.format, FILM_TAGS))
    chapters = [[(round(float(chapter["start_time"]) + later, 1),
                  chapter.get("tags", {}).get("title"))
                 for chapter in one.chapters]
                for one, later in ((film, shift), (output, 0))]
    yield from compare_values("chapters", *chapters)


@functools.lru_cache
def read(path):
    """Returns the data of a file, cached."""
    return Film(path)


def main():
    """Prints the differences."""
    for number, pair in enumerate(sys.argv[2:], int(sys.argv[1])):
        name, suffix = pair.split(":")
        try:
            lines = list(compare(read(name), Film(f"kept/{name}.{suffix}")))
        except subprocess.CalledProcessError:
            lines = ["one of them cannot be read"]
        allowed = MAY_DIFFER.get(name, []) + MAY_DIFFER.get(pair, [])
        lines = [line for line in lines
                 if not any(words in line for words in allowed)]
        print(f"{'not ' * bool(lines)}ok {number} {name} in a .{suffix}")
        for line in lines:
            print("#", line)


if __name__ == "__main__":
    main()
