# SPDX-License-Identifier: LGPL-2.1-or-later
"""How near denoisers come to clean clips."""
import configparser
import functools
import os
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import clips
import machine
import programs
from denoisers import (ALONE, BM3D, DENOISERS, FFTDNOIZ, FILM, FILTER, HQDN3D,
                       NLMEANS, OURS, encode, run)
from section import THREADS, Section, make_table, say

PEERS = (HQDN3D, NLMEANS, FFTDNOIZ, BM3D)
SIGMAS = (5, 10, 20, 40)
# Of the chart, and of the settings whose time is measured.
MIDDLE = 20
# PSNR above the best of glopenclfilter, by the noise, in dB.
GAINS = {OURS: {5: 2.1, 10: 2.5, 20: 2.5, 40: 1.8},
         FILM: {5: 2.8, 10: 3.2, 20: 3.3, 40: 2.3}}


class Kind(NamedTuple):
    """A kind of noise: what makes it, for frames and a folder, and the
    numbers that settings are tried for."""
    about: str
    make: object
    sigmas: tuple


KINDS = {
    "camera": Kind(
        "photon noise, whose variance is 1.25 times the level",
        lambda frames, folder: clips.add_photon_noise(frames, 0.8), (11,)),
    "coarse": Kind(
        "white noise blurred by a Gaussian of 1, of 10 levels",
        lambda frames, folder: clips.add_coarse_noise(frames, 10), (10, 20)),
    "coded": Kind(
        "white noise of 5, then x264 with its defaults",
        lambda frames, folder: encode(clips.add_noise(frames, 5), folder),
        (5,)),
}


def read_presets():
    """{(element, name): setting} of the presets that are for noise."""
    folder = os.path.join(programs.HERE, "..", "presets")
    settings = {}
    for type_name, element, names in (
            ("GstGLOpenCLDenoise", FILM, None),
            ("GstGLOpenCLFilter", FILTER, ("noise-5", "noise-10", "noise-20")),
            ("GstGLOpenCLMultiresolution", "glopenclmultiresolution",
             ("noise",))):
        file = configparser.ConfigParser(interpolation=None)
        file.read(os.path.join(folder, f"{type_name}.prs"), encoding="utf-8")
        for name in names or file.sections():
            if name != "_presets_":
                values = [f"{key}={value}" for key, value in file[name].items()
                          if not key.startswith("_meta")]
                settings[element.split()[0], name] = " ".join(
                    [element, *values])
    return settings


class QualitySection(Section):
    """PSNR of luma against the clean clips."""

    def __init__(self, plan, folder, shown):
        super().__init__(plan, folder)
        self.clips = shown
        self.device = machine.find_opencl()

    def for_each_clip(self, measure):
        """{clip: measure(its clean frames, a folder)}, some at a time."""
        def start(clean):
            with tempfile.TemporaryDirectory() as folder:
                return measure(clean, folder)

        with ThreadPoolExecutor(THREADS) as pool:
            return dict(zip(self.clips, pool.map(start, self.clips.values())))

    def search(self, settings, add_noise):
        """{clip: (PSNR, setting)} of the best of the settings on each clip."""
        if self.plan.name != "full":
            settings = settings[::4]

        def measure(clean, folder):
            noisy = add_noise(clean, folder)
            return max((clips.measure_luma(run(noisy, setting, folder), clean),
                        setting) for setting in settings)

        return self.for_each_clip(measure)

    def measure_noisy(self, add_noise):
        """{clip: PSNR} of what the denoisers get."""
        return self.for_each_clip(lambda clean, folder: clips.measure_luma(
            add_noise(clean, folder), clean))


def get_mean(found):
    """The mean of the PSNR over the clips."""
    return statistics.mean(psnr for psnr, _ in found.values())


class WhiteSection(QualitySection):
    """White noise."""

    def __init__(self, plan, folder, shown):
        super().__init__(plan, folder, shown)
        # {(denoiser, noise): {clip: (PSNR, setting)}}
        self.best = {}

    def get_mean(self, name, sigma=MIDDLE):
        """The mean of the PSNR over the clips."""
        return get_mean(self.best[name, sigma])

    def get_usual(self, name):
        """The setting that is best for the clip in the middle."""
        found = sorted(self.best[name, MIDDLE].values())
        return found[len(found) // 2][1]

    def add_table(self, noisy):
        """The means, and the clips at the noise in the middle."""
        rows = [["noisy", *(f"{statistics.mean(noisy[sigma].values()):.2f}"
                            for sigma in SIGMAS)]]
        rows += [[name, *(f"{self.get_mean(name, sigma):.2f}"
                          for sigma in SIGMAS)] for name in DENOISERS]
        self.lines += make_table(
            ("dB", *(f"noise {sigma}" for sigma in SIGMAS)), rows)
        self.lines += ["", f"Clip by clip, at noise {MIDDLE}:"]
        self.lines += make_table(
            ("dB", *self.clips),
            [[name, *(f"{psnr:.2f}" for psnr, _
                      in self.best[name, MIDDLE].values())]
             for name in DENOISERS])

    def add_claims(self):
        """What was promised, and where others are ahead."""
        for name, gains in GAINS.items():
            self.claims += [
                (f"noise {sigma}: {name} above {FILTER} at its best, dB",
                 self.get_mean(name, sigma) - self.get_mean(FILTER, sigma),
                 gains[sigma], False) for sigma in SIGMAS]
        self.claims.append(
            (f"noise {MIDDLE}: above {HQDN3D} at its best, dB",
             self.get_mean(OURS) - self.get_mean(HQDN3D), 2, False))
        self.losses += [
            f"noise {sigma}: {name} at its best has "
            f"{self.get_mean(name, sigma) - self.get_mean(OURS, sigma):.2f} dB "
            f"more than {OURS}." for sigma in SIGMAS for name in PEERS
            if self.get_mean(name, sigma) > self.get_mean(OURS, sigma)]

    def run(self):
        """Measures and describes all."""
        noisy = {}
        for sigma in SIGMAS:
            add_noise = functools.partial(
                lambda sigma, frames, folder: clips.add_noise(frames, sigma),
                sigma)
            noisy[sigma] = self.measure_noisy(add_noise)
            for name, list_settings in DENOISERS.items():
                self.best[name, sigma] = self.search(list_settings(sigma),
                                                     add_noise)
                say(f"noise {sigma}, {name}: "
                    f"{self.get_mean(name, sigma):.2f} dB")
        self.lines += [
            "", "## White noise", "",
            f"PSNR of luma to the clean clips, the mean of {len(self.clips)} "
            f"clips of {clips.FRAMES} frames with white Gaussian noise on all "
            "planes: films, photographs that a camera pans over and zooms into, "
            "and discs that pass before a background that stands still. All "
            "denoisers but this project's have, for each clip and noise, the "
            f"settings that are best by the clean clip. {OURS} has its "
            "defaults: it measures the noise. `lookahead=2` is what "
            "`pipelines/denoise.sh` runs."]
        self.add_table(noisy)
        self.add_claims()


def list_all(name, sigmas):
    """The settings of a denoiser to try for any of some noises."""
    settings = [setting for sigma in sigmas
                for setting in DENOISERS[name](sigma)]
    return list(dict.fromkeys(settings))


class KindsSection(QualitySection):
    """Noise that is not white, and films without any."""

    # What is shown for each kind, by the sigmas that settings are tried for.
    ROWS = {
        FILTER: lambda sigmas: list_all(FILTER, sigmas),
        ALONE: lambda sigmas: [ALONE],
        OURS: lambda sigmas: [OURS],
        FILM: lambda sigmas: [FILM],
        f"{FILM} curve=false": lambda sigmas: [f"{FILM} curve=false"],
        f"{FILM}, noise searched": lambda sigmas: [
            f"{FILM} noise={noise}"
            for noise in (2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22)],
        **{name: functools.partial(list_all, name) for name in PEERS},
    }
    SEARCHED = f"{FILM}, noise searched"

    def measure_kind(self, name, kind):
        """{row: PSNR} for a kind of noise."""
        found = {"noisy": statistics.mean(
            self.measure_noisy(kind.make).values())}
        for row, list_settings in self.ROWS.items():
            found[row] = get_mean(self.search(list_settings(kind.sigmas),
                                              kind.make))
            say(f"{name}, {row}: {found[row]:.2f} dB")
        return found

    def add_kinds(self):
        """All kinds of noise."""
        found = {name: self.measure_kind(name, kind)
                 for name, kind in KINDS.items()}
        self.claims += [
            ("camera: above glopenclfilter at its best, dB",
             found["camera"][FILM] - found["camera"][FILTER], 1.8, False),
            ("coded: above the coded clips, dB",
             found["coded"][FILM] - found["coded"]["noisy"], 0, False),
            ("coded, noise searched: above the coded clips, dB",
             found["coded"][self.SEARCHED] - found["coded"]["noisy"], 0.4,
             False)]
        self.losses += [
            f"{name}: {peer} at its best has "
            f"{psnr[peer] - psnr[FILM]:.2f} dB more than {FILM}."
            for name, psnr in found.items() for peer in (FILTER, *PEERS)
            if psnr[peer] > psnr[FILM]]
        self.lines += ["", "## Other noise", ""]
        self.lines += [f"- {name}: {kind.about}"
                       for name, kind in KINDS.items()]
        self.lines += make_table(
            ("dB", *KINDS),
            [[row, *(f"{psnr[row]:.2f}" for psnr in found.values())]
             for row in found["camera"]])
        self.lines += [
            "", f"The settings of {FILTER} and of FFmpeg's filters are "
            "searched, as above."]

    def add_clean(self):
        """What is left of clips without noise."""
        found = {setting: self.for_each_clip(
            lambda clean, folder, setting=setting: clips.measure_luma(
                run(clean, setting, folder), clean))
                 for setting in (OURS, FILM)}
        self.lines += ["", "Clips without noise against themselves:"]
        self.lines += make_table(
            ("dB", *self.clips),
            [[setting, *("the same" if psnr == float("inf") else f"{psnr:.2f}"
                         for psnr in row.values())]
             for setting, row in found.items()])
        self.claims.append(
            ("clean clips: the least PSNR to themselves, dB",
             min(min(row.values()) for row in found.values()), 45, False))

    def add_presets(self):
        """What presets gain."""
        noises = {f"noise {sigma}": functools.partial(
            lambda sigma, frames, folder: clips.add_noise(frames, sigma), sigma)
                  for sigma in SIGMAS[:3]}
        noises.update({name: kind.make for name, kind in KINDS.items()})
        rows = [["noisy", "", *(
            f"{statistics.mean(self.measure_noisy(make).values()):.2f}"
            for make in noises.values())]]
        for (element, name), setting in read_presets().items():
            rows.append([element, f"`{name}`", *(
                f"{get_mean(self.search([setting], make)):.2f}"
                for make in noises.values())])
            say(f"preset {name} of {element}")
        self.lines += ["", "## Presets", "",
                       f"The presets for noise; those of {OURS} with "
                       "`lookahead=2`."]
        self.lines += make_table(("dB", "preset", *noises), rows)

    def run(self):
        """Measures and describes all."""
        self.add_kinds()
        self.add_clean()
        self.add_presets()
