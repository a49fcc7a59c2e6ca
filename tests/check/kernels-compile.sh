#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Compiles every kernel for the machines that GPUs and CPUs are, with warnings
# as errors: kernels-compile.sh KERNEL_FOLDER KERNEL.cl...
set -u

kernels=$1
shift

if ! command -v clang >/dev/null; then
  echo "clang is not installed"
  exit 77
fi

failed=0
for kernel in "$@"; do
  for target in nvptx64-nvidia-cuda amdgcn-amd-amdhsa spir64-unknown-unknown \
      x86_64-linux-gnu; do
    for options in "" "-DPIXELS_IN_IMAGES"; do
      # -Wno-psabi: how x86-64 passes vectors concerns no driver.
      # shellcheck disable=SC2086
      clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
        -target "$target" -nogpulib -I "$kernels" $options \
        -Wall -Wextra -Werror -Wno-psabi -S -emit-llvm -o /dev/null "$kernel" \
        || { echo "$kernel does not compile for $target $options"; failed=1; }
    done
  done
done
exit $failed
