#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains a zstd dictionary with recorded messages. Prints what it gains for messages that were not in the training, and
# what to configure.
#
# Usage: samples/dictionary/train.sh --messages DIRECTORY --output FILE [--size SIZE]
#   --messages DIRECTORY    with one message in each file, as the reference gateway records them
#   --output FILE           for the dictionary; it must not exist
#   --size SIZE             of the dictionary, 1KB to 1024KB; default: 16KB
set -eu

sample=dictionary
. "$(dirname "$0")/../../tools/fixtures/sample.sh"
run io.highway.samples.dictionary.Train "$@"
