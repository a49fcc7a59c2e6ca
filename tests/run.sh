#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs the dependencies of the tests, builds everything and runs the tests:
#
#   tests/run.sh              uses the compiler $CC (default: gcc)
#   tests/run.sh --all        also runs the long tests: sweeps over formats,
#                             parameters and failing calls, video files, the lines
#                             of the README, each interop backend, kernels compiled
#                             for GPUs, with new random numbers each time
#   tests/run.sh --gate       the same without similar tests: some combinations of
#                             drivers and tests, some formats and failing calls,
#                             and the benchmarks
#   tests/run.sh --installed  tests each kernel and an element with the installed
#                             PoCL. Other tests use one that compiles faster, see
#                             tests/pocl.py
#   tests/run.sh --oclgrind   runs kernels under oclgrind, which checks each access
#   tests/run.sh --sanitize [TEST...]
#                             runs the default tests except scripts, sweeps and
#                             comparisons with OpenCV, or these tests, with clang,
#                             AddressSanitizer and UndefinedBehaviorSanitizer
#   tests/run.sh --thread     tests data shared by threads, with ThreadSanitizer
#   tests/run.sh --coverage   runs --all, and reports the code coverage
#   tests/run.sh --drivers    runs the reference tests with each packaged and each
#                             installed OpenCL driver: PoCL, Intel's for CPUs,
#                             Mesa's rusticl. Installs some 700 MB.
#
# With WERROR=true in the environment warnings are errors, as in CI, where the
# compiler is known. GLOPENCL_TEST_SEED is the seed of random numbers (default: the
# commit id). It is printed first, so that a failed run can be repeated. The last
# line counts the tests that passed and failed.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help

TEST_PACKAGES="clang ffmpeg libegl-dev libgl-dev
  mesa-vulkan-drivers python3-opencv python3-numpy python3-matplotlib
  python3-gi gir1.2-gstreamer-1.0 gir1.2-gst-rtsp-server-1.0 ges1.0-tools xvfb help2man bash-completion
  libgtk-3-dev gstreamer1.0-gtk3 xdotool gir1.2-gtk-3.0 weston
  python3-distributed
  python3-cryptography openssl"
# Tests with threads, with few kernels and one way of interop.
THREAD_TESTS="tables links graphs compiler programs kernel-cache fallback kernels
  devices transfer chain-host-copy
  backlog-host-copy pipelines-host-copy streams-host-copy
  streams-denoise-host-copy emission-host-copy
  emission-streams-host-copy lookahead-host-copy denoising-host-copy
  interlacing-host-copy"
# These tests build each kernel: of operations, of chains, and of users.
INSTALLED_TESTS="check-installed chains-apart-I420 user-source filter-host-copy"
DRIVER_PACKAGES="pocl-opencl-icd python3-pip"
pocl_icd=/etc/OpenCL/vendors/pocl.icd

# Prints the files that the named tests need, or those of all tests: no argument
# builds everything.
FIND_TARGETS='
import json, os, sys
known = json.load(sys.stdin)
files = {t["id"]: t["filename"] for t in known["targets"]}
tests = {t["name"]: t for t in known["tests"]}
build, *names = sys.argv[1:]
needed = set()
for name in names:
    if name not in tests:
        sys.exit(print("no test is called", name) or 1)
    for target in tests[name]["depends"]:
        needed.update(files[target])
print(*(os.path.relpath(name, build) for name in sorted(needed)))'

# build_tests MESON_OPTION...
build_tests () {
  if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$root" "$@"
  fi
  # shellcheck disable=SC2086
  ninja -C "$build" ${targets:-}
  rm -f "$build"/meson-logs/*.json
  use_faster_pocl
}

# Replaces PoCL by a copy that compiles faster, if it is the only driver or
# OCL_ICD_VENDORS names it.
faster_pocl=true
use_faster_pocl () {
  $faster_pocl || return 0
  case ${OCL_ICD_VENDORS:-} in
    "") [ "$(echo /etc/OpenCL/vendors/*.icd)" = "$pocl_icd" ] || return 0 ;;
    "$pocl_icd") ;;
    *) return 0 ;;
  esac
  faster=$build/pocl/pocl.icd
  if python3 "$root/tests/pocl.py" "$build/pocl" \
      && COMPILER_PATH="$build/pocl/bin" OCL_ICD_VENDORS="$faster" \
      "$build/tools/glopencl" bench --rounds 1 --operation gradient \
      --sizes 64x48 >/dev/null 2>&1; then
    export COMPILER_PATH="$build/pocl/bin" OCL_ICD_VENDORS="$faster"
  else
    say "PoCL is taken as it is installed"
  fi
}

# A command that starts the tests, for tests that need it.
launcher=

# The time limits of tests end those that hang, so a machine may be this many
# times slower than usual, and more if it has much to do.
slowness=2

# run_tests LOG MESON_ARGUMENT...
run_tests () {
  load=$(awk -v n="$(nproc)" '{ print int ($1 / n) + 1 }' /proc/loadavg)
  # On two processors three tests: those of films and of Dask often wait.
  $launcher meson test -C "$build" --no-rebuild --print-errorlogs \
    --timeout-multiplier $((slowness * load)) --num-processes 3 \
    --logbase "$@" || true
}

# Of all tests, with the last output of failed tests. Fails where a test failed,
# or none ran.
count_results () {
  python3 - "$build"/meson-logs/*.json <<'END'
import json
import sys

tests = [json.loads(line) for name in sys.argv[1:] for line in open(name)]
results = [test["result"] for test in tests]
for test in tests:
    if test["result"] not in ("OK", "EXPECTEDFAIL", "SKIP"):
        print("failed:", test["name"], test["result"])
        output = test.get("stdout", "") + test.get("stderr", "")
        wrong = [line for line in output.splitlines()
                 if not line.startswith(("ok", "#"))
                 and "warnings generated" not in line]
        print("".join(f"  | {line[:200]}\n" for line in wrong[-15:]), end="")
skipped = results.count("SKIP")
passed = results.count("OK") + results.count("EXPECTEDFAIL")
failed = len(results) - passed - skipped
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" * (skipped > 0)))
sys.exit(failed > 0 or passed == 0)
END
}

# run_driver NAME ICD [VARIABLE=VALUE...]: the numbers with the driver that the
# file ICD names, if it is there and has a device.
run_driver () {
  name=$1
  icd=$2
  shift 2
  if [ ! -f "$icd" ]; then
    say "=== $name: skipped, it is not installed"
  elif ! env OCL_ICD_VENDORS="$icd" "$@" "$build/tools/glopencl" devices; then
    say "=== $name: skipped, it has no device"
  else
    say "=== $name"
    (for setting in OCL_ICD_VENDORS="$icd" "$@"; do
       export "${setting?}"
     done
     # Some compile far slower than PoCL.
     slowness=6
     run_tests "$name" --setup=all --suite numbers)
  fi
}

# Intel's runtime for CPUs is a Python package.
run_intel_driver () {
  intel=$build/intel-opencl
  if [ ! -d "$intel" ]; then
    say "Installing Intel's runtime in $intel"
    /usr/bin/python3 -m pip install -q --no-warn-script-location \
      --root-user-action=ignore --prefix "$intel" intel-opencl-rt \
      intel-cmplr-lib-rt \
      || { rm -rf "$intel"; say "Intel's runtime cannot be installed"; }
    # The loader is the system's.
    find "$intel" -name 'libOpenCL.so*' -delete 2>/dev/null || true
  fi
  icd=$build/intel.icd
  rm -f "$icd"
  library=$(find "$intel" -name libintelocl.so 2>/dev/null | head -n 1)
  [ -z "$library" ] || echo "$library" >"$icd"
  run_driver intel "$icd" "LD_LIBRARY_PATH=$(dirname "$library")"
}

run_drivers () {
  vendors=/etc/OpenCL/vendors
  run_intel_driver
  # Mesa's other driver, mesa.icd, has no devices without a GPU.
  if dpkg --compare-versions "$(dpkg-query -W -f '${Version}' mesa-opencl-icd \
      2>/dev/null)" lt-nl 24; then
    say "=== rusticl: skipped, before Mesa 24 it computes what is wrong"
  else
    run_driver rusticl "$vendors/rusticl.icd" RUSTICL_ENABLE=llvmpipe
  fi
  run_driver pocl "$vendors/pocl.icd"
  for icd in "$vendors"/*.icd; do
    case $(basename "$icd" .icd) in
      pocl | rusticl | mesa) ;;
      *) run_driver "$(basename "$icd" .icd)" "$icd" ;;
    esac
  done
}

[ "${OCL_ICD_VENDORS:-}" != "$pocl_icd" ] \
  || TEST_PACKAGES="$TEST_PACKAGES pocl-opencl-icd"
# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES $FILE_PACKAGES $TEST_PACKAGES
glopencl_install_optional oclgrind
case ${1:-} in
  --all | --gate) glopencl_install_optional slurmctld slurmd slurm-client \
    munge ;;
esac
# Some 110 MB, only for the Rust example.
if [ "${1:-}" = --all ] \
    && apt-cache show librust-gstreamer-dev >/dev/null 2>&1; then
  glopencl_install_optional cargo librust-gstreamer-dev
fi
compiler=${CC:-gcc}
build=$root/build-test-$(basename "${compiler##* }")
werror=${WERROR:-false}

if [ -z "${GLOPENCL_TEST_SEED:-}" ]; then
  case ${1:-} in
    --all) GLOPENCL_TEST_SEED=$(date +%s) ;;
    *)
      # The checkout may be that of another user.
      commit=$(git -c safe.directory="$root" -C "$root" rev-parse HEAD \
        2>/dev/null || echo 0)
      GLOPENCL_TEST_SEED=$(printf %d "0x$(printf %.7s "$commit")") ;;
  esac
fi
export GLOPENCL_TEST_SEED
say "GLOPENCL_TEST_SEED=$GLOPENCL_TEST_SEED"

case ${1:-} in
  "")
    build_tests -Dwerror="$werror"
    run_tests quick --setup=quick ;;
  --all | --gate)
    build_tests -Dwerror="$werror"
    run_tests "${1#--}" --setup="${1#--}" ;;
  --installed)
    faster_pocl=false
    build_tests -Dwerror="$werror"
    # shellcheck disable=SC2086
    run_tests installed --setup=installed $INSTALLED_TESTS ;;
  --oclgrind)
    build_tests -Dwerror="$werror"
    run_tests oclgrind --setup=oclgrind --suite oclgrind ;;
  --sanitize)
    . "$(dirname "$0")/sanitizers.sh"
    set_up_sanitizers
    slowness=6
    shift
    targets=$(meson introspect "$build" --tests --targets \
      | python3 -c "$FIND_TARGETS" "$build" "$@") || die "$targets"
    build_tests
    run_tests sanitize --setup=sanitize "$@" ;;
  --thread)
    build=$root/build-test-thread
    build_tests -Dwerror="$werror" -Db_sanitize=thread -Db_lundef=false
    # The runtime of GCC 12 needs addresses that are not random.
    setarch -R true 2>/dev/null && launcher="setarch -R"
    slowness=10
    # shellcheck disable=SC2086
    run_tests thread --setup=thread $THREAD_TESTS ;;
  --coverage)
    glopencl_install gcovr
    build=$root/build-test-coverage
    build_tests -Dwerror="$werror" -Db_coverage=true
    run_tests all --setup=all
    gcovr --root "$root" --object-directory "$build" --print-summary \
      --filter "$root/gst/" --filter "$root/apps/" --filter "$root/tools/" \
      | grep -E '^(lines|branches|functions):' ;;
  --drivers)
    # shellcheck disable=SC2086
    glopencl_install $DRIVER_PACKAGES
    glopencl_install_optional mesa-opencl-icd
    build_tests -Dwerror="$werror"
    run_drivers ;;
  *) die "usage: tests/run.sh [--all | --gate | --installed | --oclgrind |" \
       "--sanitize | --thread | --coverage | --drivers]" ;;
esac
count_results
