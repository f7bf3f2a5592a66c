#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Uploads a file of 100 MB to another island as a stream in the bulk class, over a link that is cut three times.
# Exits with 0 only if the file arrived and its checksum is equal.
#
# Usage: samples/upload/run.sh [--quick]
#   --quick     16 MB
set -eu

sample=upload
. "$(dirname "$0")/../../tools/fixtures/sample.sh"
size=100
case " $* " in
*" --quick "*) size=16 ;;
esac
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" "-Dupload.megabytes=$size" io.highway.samples.upload.run.Upload
