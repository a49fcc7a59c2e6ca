#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Compiles every kernel as the operations build it, each second build, for the
# machines that GPUs and CPUs are, with warnings as errors:
# kernels-compile.sh KERNELBUILDS KERNEL_FOLDER KERNEL.cl...
set -u

# One build: KERNEL_FOLDER TARGET SOURCE [OPTION...]
if [ "$1" = --one ]; then
  folder=$2
  target=$3
  source=$4
  shift 4
  # cl_khr_fp16: clang's header hides vload_half () without it, which is in
  # OpenCL. -Wno-psabi: how x86-64 passes vectors concerns no driver. A format may have
  # no use for a parameter that others need. Options such as
  # -cl-denorms-are-zero mean nothing on some targets.
  clang -x cl -cl-std=CL1.2 -Xclang -cl-ext=+cl_khr_fp16 \
    -target "$target" -nogpulib -I "$folder" "$@" \
    -Wall -Wextra -Werror -Wno-psabi -Wno-unused-parameter \
    -Wno-unused-command-line-argument \
    -fsyntax-only "$folder/$source" && exit
  echo "$source does not compile for $target with $*"
  exit 1
fi

builds=$1
folder=$2
shift 2

if ! command -v clang >/dev/null; then
  echo "clang is not installed"
  exit 77
fi

lines=$("$builds") || exit
if [ -z "$lines" ]; then
  echo "$builds says nothing"
  exit 1
fi
# Neighbours differ little.
lines=$(echo "$lines" | sed -n 'p;n')
# A program that no warm-up asks for: see OclStencilForm.
lines="$lines
$(echo "$lines" | sed -n 's/^stencil\.cl .*/& -D PAIRS/p')"
# Programs without a format have few builds: groups for CPUs and for GPUs, the
# denoiser with and without other frames. Kernels that no operation builds,
# unchanged.
for kernel in "$@"; do
  name=$(basename "$kernel")
  case $name in
    *-groups.cl)
      lines="$lines
$name -D COUNT_GROUP=1
$name -D COUNT_GROUP=64"
      ;;
    denoise-strips.cl)
      lines="$lines
$name -D EARLIER=2 -D LATER=2 -D BLOCK_STEP=2 -D BLOCKS=16
$name -D EARLIER=4 -D LATER=2 -D BLOCK_STEP=4 -D BLOCKS=8
$name -D EARLIER=0 -D LATER=0 -D BLOCK_STEP=2"
      ;;
    *)
      echo "$lines" | grep -q "^$name " || lines="$lines
$name"
      ;;
  esac
done

# Each build for one of the machines in turn.
echo "$lines" | awk '
    BEGIN {
      n = split ("nvptx64-nvidia-cuda amdgcn-amd-amdhsa " \
          "spir64-unknown-unknown x86_64-linux-gnu", targets, " ")
    }
    { print targets[NR % n + 1], $0 }' \
  | xargs -P 2 -L 1 sh "$0" --one "$folder"
