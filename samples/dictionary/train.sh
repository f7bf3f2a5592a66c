#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains a zstd dictionary with recorded messages: --messages DIR --output FILE [--size 16KB].
# Prints what it gains for messages that were not in the training, and what to configure.
set -eu

sample=dictionary
. "$(dirname "$0")/../support/sample.sh"
run io.highway.samples.dictionary.Train "$@"
