# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by run.sh and fuzz.sh, after ../pipelines/setup.sh: a build by clang with
# AddressSanitizer, UndefinedBehaviorSanitizer and the instrumentation of libFuzzer.
#
#   set_up_sanitizers   installs clang, sets $build and configures it, and sets
#                       the variables that the sanitizers read

set_up_sanitizers () {
  glopencl_install clang libegl-dev libgl-dev
  # The runtime of the sanitizers is a package of the compiler's version.
  glopencl_install "libclang-rt-$(clang -dumpversion | cut -d . -f 1)-dev"
  build=$root/build-test-sanitize
  # Compilers take a third less time without optimisation than with -O1. The
  # types of the driver's extensions are not those of the headers.
  [ -f "$build/build.ninja" ] || CC=clang meson setup "$build" "$root" \
    -Dwerror="${WERROR:-false}" -Doptimization=0 -Dfuzzers=true \
    -Db_sanitize=address,undefined -Db_lundef=false \
    -Dc_args="-fsanitize=fuzzer-no-link -fno-sanitize=function"
  # Drivers and GLib keep memory. The tests count OpenCL objects themselves.
  # PoCL uses a separate signal stack.
  export ASAN_OPTIONS="detect_leaks=0:use_sigaltstack=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
  export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
}
