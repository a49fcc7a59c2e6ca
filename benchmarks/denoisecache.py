# SPDX-License-Identifier: LGPL-2.1-or-later
"""Results in a file, so that other denoisers are not measured again with each
change of this project. They hold for the very same frames, settings to try and
version."""
import hashlib
import json
import os

from measures import Measured, Result


def identify(denoiser, noisy, clean):
    """A name for a denoiser with settings to try on noisy and clean clips."""
    digest = hashlib.sha256(repr(denoiser[:3]).encode())
    for clip, frames in noisy.items():
        digest.update(clip.encode())
        for frame in (*frames, *clean[clip]):
            digest.update(frame.tobytes())
    return digest.hexdigest()[:24]


class Cache:
    """Results by name, and times, in a file of JSON."""

    def __init__(self, path):
        self.path = path
        self.content = {"results": {}, "times": {}}
        self.read()

    def read(self):
        """Takes what is in the file: another run may add to it."""
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.content = json.load(file)

    def find(self, name, version):
        """The result if it was measured with a version, or if nothing else can
        be measured now, which is no version."""
        self.read()
        entry = self.content["results"].get(name)
        if not entry or version not in (None, entry["version"]):
            return None
        return Result(
            *({clip: Measured(*values) for clip, values in entry[plane].items()}
              for plane in ("luma", "chroma")),
            *entry["settings"], entry["version"])

    def store(self, name, about, result):
        """Keeps a result, also if the program ends early."""
        def shorten(found):
            return {clip: [value and float(f"{value:.6g}") for value in values]
                    for clip, values in found.items()}

        self.read()
        self.content["results"][name] = {
            "about": about, "version": result.version,
            "settings": [result.luma_setting, result.chroma_setting],
            "luma": shorten(result.luma), "chroma": shorten(result.chroma)}
        self.write()

    def store_times(self, times):
        """Keeps how long frames take."""
        self.read()
        self.content["times"] = times
        self.write()

    def write(self):
        """Writes the file, an entry a line."""
        lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry
                 in sorted(self.content["results"].items(),
                           key=lambda item: item[1]["about"])]
        with open(self.path + ".part", "w", encoding="utf-8") as file:
            file.write('{"times": ' + json.dumps(self.content["times"])
                       + ',\n"results": {\n' + ",\n".join(lines) + "\n}}\n")
        os.replace(self.path + ".part", self.path)
