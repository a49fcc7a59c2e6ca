# SPDX-License-Identifier: LGPL-2.1-or-later
"""How near denoisers come to clean clips, by the kind of noise."""
import configparser
import hashlib
import os
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor

import clips
import denoisers
import machine
import programs
from denoisecache import identify
from denoisers import (ALONE, BLIND, FILM, LONG, OURS, OWN, PEERS, SEARCHED,
                       VAPOURSYNTH, Denoiser)
from measures import FIRST, LAST, Result, measure, to_psnr
from noises import KINDS
from section import THREADS, Section, make_table, say

NOISY, CLEAN = "noisy", "without noise"
# Of the settings whose time is measured, and of what else is shown for them.
TIMED = ("white 10", "white 10, x264 crf 26")
# Settings are searched on each so many of the clips.
SEARCH_STEP = 3
# For presets.
PRESET_KINDS = ("white 10", "film grain", "white 10, x264 crf 26",
                "phone-like")
INSTALL = ("vapoursynth==79 vapoursynth-bm3dcpu 'dfttest2[cpu]' smdegrain-bis "
           "vapoursynth-nlm-ispc")


def read_presets():
    """{name: setting} of the presets of glopencldenoise."""
    file = configparser.ConfigParser(interpolation=None)
    file.read(os.path.join(programs.HERE, "..", "presets",
                           "GstGLOpenCLDenoise.prs"), encoding="utf-8")
    return {name: " ".join([FILM, *(
        f"{key}={value}" for key, value in file[name].items()
        if not key.startswith("_meta"))])
            for name in file.sections() if name != "_presets_"}


class Climb:
    """The search for the setting with the best luma of all clips: one ladder
    after the other, up or down while that is better, until nothing is."""

    def __init__(self, denoiser, run):
        self.denoiser = denoiser
        self.run = run
        # {place: {clip: Measured}}
        self.tried = {}

    def get_psnr(self, place, plane="luma"):
        """The mean PSNR over the clips, of luma or of chroma."""
        if place not in self.tried:
            self.tried[place] = self.run(self.denoiser.format(place))
        return statistics.mean(to_psnr(getattr(found, plane)) for found
                               in self.tried[place].values())

    def find_neighbour(self, place):
        """A better place beside this one, or None."""
        for axis, ladder in enumerate(self.denoiser.ladders):
            for step in (1, -1):
                index = place[axis] + step
                other = (*place[:axis], index, *place[axis + 1:])
                if 0 <= index < len(ladder) \
                        and self.get_psnr(other) > self.get_psnr(place):
                    return other
        return None

    def find(self, start, climbs=True):
        """The best settings for luma, and for chroma of those tried."""
        place = best = start
        self.get_psnr(start)
        while climbs and place:
            best, place = place, self.find_neighbour(place)
        chroma = max(self.tried,
                     key=lambda place: self.get_psnr(place, "chroma"))
        return self.denoiser.format(best), self.denoiser.format(chroma)


class KindsSection(Section):
    """What is left of each kind of noise."""

    def __init__(self, plan, folder, cache, python, more, has_gpu,
                 is_stored):
        super().__init__(plan, folder)
        self.cache = cache
        # The command of a Python with VapourSynth, denoisers to add, whether
        # those that need a GPU can be measured, and whether nothing is.
        self.python = python
        self.more = more
        self.has_gpu = has_gpu
        self.is_stored = is_stored
        self.device = machine.find_opencl()
        self.clean = clips.make_clips()
        self.kinds = dict(KINDS)
        if plan.name != "full":
            self.kinds = {name: KINDS[name] for name in
                          ("white 10", "phone-like")}
        if plan.name == "smoke":
            self.clean = {name: frames[:10] for name, frames
                          in list(self.clean.items())[:2]}
        # {kind: {clip: frames}} and {kind: {denoiser: Result}}
        self.noisy = {}
        self.found = {}
        # {(denoiser, kind): mean PSNR of luma} of what is shown with the times.
        self.psnr = {}
        self.ffmpeg = "FFmpeg " + machine.find_first(
            r"ffmpeg version (\S+)", "ffmpeg", "-version")
        self.vapoursynth = ", ".join(
            denoisers.ask_vapoursynth(python, "--versions").decode()
            .splitlines()) if python else None
        # This project has no version for each change, its plugin has.
        with open(machine.find_first(r"Filename +(\S+)", "gst-inspect-1.0",
                                     "glopencl"), "rb") as file:
            self.plugin = "glopencl " + hashlib.sha256(
                file.read()).hexdigest()[:12]

    def for_each_clip(self, work, names=None):
        """{clip: work(its name, a folder)}, some at a time."""
        names = self.clean if names is None else names

        def start(clip):
            with tempfile.TemporaryDirectory() as folder:
                return work(clip, folder)

        with ThreadPoolExecutor(THREADS) as pool:
            return dict(zip(names, pool.map(start, names)))

    def add_noise(self, kind):
        """{clip: noisy frames}."""
        return self.for_each_clip(
            lambda clip, folder: kind.make(self.clean[clip], folder))

    def measure_setting(self, noisy, setting, by_vapoursynth=False):
        """{clip: Measured}."""
        def work(clip, folder):
            frames = denoisers.run_vapoursynth(
                noisy[clip], setting, self.python) if by_vapoursynth \
                else denoisers.run(noisy[clip], setting, folder)
            return measure(frames, self.clean[clip])

        return self.for_each_clip(work, noisy)

    def search(self, denoiser, about):
        """The best result of a denoiser for a kind of noise. The setting is
        searched on some of the clips, and then measured on all."""
        noisy = self.noisy[about]

        def run(setting, names=noisy):
            return self.measure_setting({clip: noisy[clip] for clip in names},
                                        setting, denoiser.vapoursynth)

        if not denoiser.ladders:
            measured = run(denoiser.template)
            return Result(measured, measured, *[denoiser.template] * 2)
        some = list(noisy)[::SEARCH_STEP]
        error = statistics.mean(
            self.found[about][NOISY].luma[clip].luma ** 0.5 for clip in some)
        luma, chroma = Climb(denoiser, lambda setting: run(setting, some)).find(
            denoiser.choose_start(error), self.plan.name == "full")
        measured = run(luma)
        return Result(measured, measured if chroma == luma else run(chroma),
                      luma, chroma)

    def get_version(self, name, denoiser):
        """What is measured, None if it cannot be measured here."""
        if self.is_stored or name in BLIND and not self.has_gpu:
            return None
        if denoiser.template.startswith("glopencl"):
            return self.plugin
        return self.vapoursynth if denoiser.vapoursynth else self.ffmpeg

    def measure(self, name, denoiser, about):
        """The best result, which may have been measured before; None if that
        cannot be measured here."""
        version = self.get_version(name, denoiser)
        key = identify(denoiser, self.noisy[about], self.clean)
        result = self.cache.find(key, version)
        if not result and version:
            result = self.search(denoiser, about)._replace(version=version)
            self.cache.store(key, f"{about}: {name}", result)
        if result:
            say(f"{about}, {name}: {result.get_luma():.2f} dB, "
                f"{result.luma_setting}")
        return result

    def make_noise(self):
        """All kinds of noise, and how strong they are."""
        for about, kind in self.kinds.items():
            noisy = self.add_noise(kind)
            measured = {clip: measure(frames, self.clean[clip])
                        for clip, frames in noisy.items()}
            self.noisy[about] = noisy
            self.found[about] = {NOISY: Result(measured, measured, "", "")}

    def measure_denoiser(self, name, denoiser):
        """One denoiser on all kinds of noise."""
        for about, found in self.found.items():
            result = self.measure(name, denoiser, about)
            if result:
                found[name] = result

    def measure_more(self):
        """What is only shown with the times, and the presets."""
        for about in self.found:
            settings = {name: name for name in (ALONE, LONG)} \
                if about in TIMED else {}
            if about in PRESET_KINDS and self.plan.name == "full":
                settings.update(read_presets())
            for name, setting in settings.items():
                result = self.measure(name, Denoiser(setting), about)
                if result:
                    self.psnr[name, about] = result.get_luma()

    def format_psnr(self, name, about):
        """The mean PSNR of luma, empty if it was not measured."""
        psnr = self.found[about][name].get_luma() \
            if name in self.found[about] else self.psnr.get((name, about))
        return f"{psnr:.2f}" if psnr else ""

    def list_names(self):
        """The denoisers that were measured, in order."""
        names = [NOISY, *PEERS, *VAPOURSYNTH, *self.more, *OWN]
        return [name for name in names
                if any(name in found for found in self.found.values())]

    def add_claims(self):
        """What is promised, and where others are ahead."""
        for about, found in self.found.items():
            psnr = {name: result.get_luma() for name, result in found.items()}
            peers = {name: psnr[name] for name in psnr
                     if name in PEERS or name in VAPOURSYNTH}
            best = max(peers, key=peers.get)
            if self.kinds[about].is_encoded:
                self.claims.append((f"{about}: {FILM} above the encoded clips, "
                                    "dB", psnr[FILM] - psnr[NOISY],
                                    0 if about == "phone-like" else 2, False))
            else:
                self.claims.append((
                    f"{about}: {FILM} above {best}, the best other here, dB",
                    psnr[FILM] - peers[best], 0, False))
            if SEARCHED in psnr:
                self.claims.append((
                    f"{about}: {FILM} below the best `noise=`, dB",
                    psnr[SEARCHED] - psnr[FILM],
                    {"phone-like": 0.6, "camera, x264 crf 30": 0.8}.get(
                        about, 0.3), True))
            self.losses += [
                f"{about}: {name} at its best has "
                f"{peers[name] - psnr[FILM]:.2f} dB more than {FILM}."
                for name in peers
                if peers[name] > psnr[FILM]]

    def add_overview(self):
        """The means of luma."""
        names = self.list_names()
        self.lines += [
            "", "## By the kind of noise", "",
            "PSNR of luma to the clean clips in dB, the mean of "
            f"{len(self.clean)} clips, frames {FIRST + 1} to "
            f"{len(next(iter(self.clean.values()))) + LAST}. The other "
            "denoisers have the setting that is best for the kind of noise by "
            f"{', '.join(list(self.clean)[::SEARCH_STEP])}, stated "
            f"[below](#kind-by-kind). {OURS} has its "
            "defaults: it measures the noise. `lookahead=2` is what "
            "`glopencl-denoise` runs. What was not measured is empty. FFmpeg's "
            "fftdnoiz is left out: it takes half a second for a frame of 720p. "
            "In an earlier run with other clips it had 0.85 dB more than bm3d "
            "on white noise of 10."]
        self.lines += make_table(
            ("noise", *names),
            [[about, *(self.format_psnr(name, about) for name in names)]
             for about in self.found])
        self.lines += ["", "The noise:", ""]
        self.lines += [f"- {about}: {kind.about}"
                       for about, kind in self.kinds.items()]
        height, width = clips.get_luma(
            next(iter(self.clean.values()))[0]).shape
        self.lines += [
            "", f"The clips, {width}x{height}, of the Debian packages "
            f"{' and '.join(clips.PACKAGES)}. `megamind` is one of those that "
            f"the constants of {OURS} were chosen with.", ""]
        self.lines += [f"- {name}: {clips.CLIPS[name][0]}"
                       for name in self.clean]

    def add_kinds(self):
        """All measures of all kinds."""
        self.lines += [
            "", "## Kind by kind", "",
            "PSNR in dB, of luma and of all planes. SSIM of luma. Flicker: the "
            "change of the error of luma from frame to frame where the clean "
            "clip stands still, in levels, as root mean square. Luma and "
            "chroma of the other denoisers have the setting that is best for "
            "each; that of luma is stated."]
        for about, found in self.found.items():
            rows = [(name, found[name]) for name in self.list_names()
                    if name in found]
            self.lines += ["", f"### {about[0].upper()}{about[1:]}"]
            self.lines += make_table(
                ("", "luma", "all planes", "SSIM", "flicker", "setting"),
                [[name, f"{result.get_luma():.2f}", f"{result.get_all():.2f}",
                  f"{result.get_ssim():.4f}", f"{result.get_flicker():.2f}",
                  f"`{result.luma_setting}`" if result.luma_setting else ""]
                 for name, result in rows])
        self.lines += [
            "", "## Clip by clip", "",
            f"PSNR of luma, of the noisy clip and of {FILM}."]
        self.lines += make_table(
            ("dB", *self.clean),
            [[about, *(" → ".join(
                f"{to_psnr(found[name].luma[clip].luma):.2f}"
                for name in (NOISY, FILM)) for clip in self.clean)]
             for about, found in self.found.items()])

    def add_clean(self):
        """What is left of clips without noise."""
        self.noisy[CLEAN] = self.clean
        found = {setting: self.measure(setting, Denoiser(setting), CLEAN)
                 for setting in (OURS, FILM)}
        if not all(found.values()):
            return
        self.lines += ["", "## Clips without noise", "",
                       "PSNR of luma to themselves."]
        self.lines += make_table(
            ("dB", *self.clean),
            [[setting, *(f"{to_psnr(one.luma):.2f}" if one.luma else "the same"
                         for one in result.luma.values())]
             for setting, result in found.items()])
        self.claims.append((
            "clean clips: the least PSNR to themselves, dB",
            min(to_psnr(one.luma) for result in found.values()
                for one in result.luma.values()), 45, False))

    def add_presets(self):
        """What presets gain."""
        kinds = [about for about in PRESET_KINDS if about in self.found]
        self.lines += ["", "## Presets", "",
                       f"PSNR of luma of the presets of {OURS}, with "
                       "`lookahead=2`."]
        self.lines += make_table(
            ("dB", *kinds),
            [[NOISY, *(self.format_psnr(NOISY, about) for about in kinds)],
             *[[f"`{preset}`", *(self.format_psnr(preset, about)
                                 for about in kinds)]
               for preset in read_presets()]])

    def add_vapoursynth(self):
        """VapourSynth's plugins, and what to install."""
        self.lines += [
            "", "## VapourSynth's plugins", "",
            "Optional: they need Python 3.12 or later, as Debian 13 has it. "
            "On Debian 13:", "", "```sh", "apt-get install python3-venv",
            "python3 -m venv vapoursynth",
            f"vapoursynth/bin/pip install {INSTALL}",
            "benchmarks/denoise.py --vapoursynth vapoursynth/bin/python "
            "benchmarks", "```", "",
            "On an older system, in a root of Debian 13:", "", "```sh",
            "mmdebstrap --variant=apt --include=python3-venv trixie ROOT",
            "chroot ROOT python3 -m venv /vapoursynth",
            f"chroot ROOT /vapoursynth/bin/pip install {INSTALL}",
            "benchmarks/denoise.py --vapoursynth \"chroot ROOT "
            "/vapoursynth/bin/python\" benchmarks", "```", "",
            "VapourSynth 80 and later do not load bm3dcpu 2.17. With the "
            "package vsavd, `--nl4d` adds NL4D, which measures the noise "
            "itself. It needs a GPU: ten frames took eight minutes on a CPU."]
        versions = {found[name].version for found in self.found.values()
                    for name in (*VAPOURSYNTH, *BLIND) if name in found}
        missing = []
        for name in VAPOURSYNTH:
            kinds = [about for about, found in self.found.items()
                     if name not in found]
            if kinds and name in self.list_names():
                missing.append(f"{name} ({', '.join(kinds)})")
            elif kinds:
                missing.append(name)
        if versions:
            self.lines += ["", f"Installed: {'; '.join(sorted(versions))}."]
        if missing:
            self.lines += ["", f"Not measured: {'; '.join(missing)}."]

    def run(self):
        """Measures and describes all."""
        self.make_noise()
        for name, denoiser in {**OWN, **PEERS, **VAPOURSYNTH,
                               **self.more}.items():
            self.measure_denoiser(name, denoiser)
        self.measure_more()
        self.add_claims()
        self.add_overview()
        self.add_kinds()
        self.add_clean()
        if self.plan.name == "full":
            self.add_presets()
        self.add_vapoursynth()
