#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs an example application on a noisy clip: denoise-test.sh COMMAND...
#
# Prints TAP.
set -u

. "$(dirname "$0")/../scripts/tap.sh"

# Three seconds.
gst-launch-1.0 -q compositor name=mix sink_1::alpha=0.25 \
  ! video/x-raw,width=160,height=96 ! videoconvert ! video/x-raw,format=I420 \
  ! jpegenc quality=98 ! avimux ! filesink location=noisy.avi \
  videotestsrc num-buffers=30 pattern=smpte \
  ! video/x-raw,width=160,height=96,framerate=10/1 ! mix. \
  videotestsrc num-buffers=30 pattern=snow \
  ! video/x-raw,width=160,height=96,framerate=10/1 ! mix. >errors 2>&1

within 60 "$@" noisy.avi >output 2>errors
[ $? = 0 ] && [ ! -s errors ]
result $? "a file is played to its end, without a warning"
cat output >>errors
[ "$(grep -c '^mean luma [0-9]*\.[0-9] of 255$' output)" = 3 ]
result $? "the meta of each second is read"
[ "$(grep -c '^noise [1-9][0-9]*\.[0-9], white$' output)" = 3 ]
result $? "the message of each second is read"

# refuses_with WORDS: the last command failed with a line of these words.
refuses_with () {
  [ $? = 1 ] && [ "$(wc -l <errors)" = 1 ] && grep -q "$1" errors
}

OCL_ICD_VENDORS=/nonexistent within 60 "$@" noisy.avi >output 2>errors
refuses_with '^No OpenCL device was found'
result $? "no OpenCL driver: status 1 and one line"
GST_PLUGIN_PATH='' GST_PLUGIN_SYSTEM_PATH="$work/none" GST_REGISTRY="$work/registry" \
  within 60 "$@" noisy.avi >output 2>errors
refuses_with '^no element'
result $? "no plugin: status 1 and one line"
within 60 "$@" missing.avi >output 2>errors
refuses_with 'not found'
result $? "no file: status 1 and one line"
within 60 "$@" >output 2>errors
refuses_with '^usage: '
result $? "no argument: status 1 and the usage"

plan
