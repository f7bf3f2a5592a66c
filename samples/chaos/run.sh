#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A star under load while its parts fail one after another: builds what it needs, runs, ends everything.
# [--seconds N] [--only NAME] [--soak CALLS] [--start-up] [--compression none|gzip|zstd|auto] [--dictionary]. Exits with 0 only if no call was doubled, misrouted, hung or unaccounted for.
set -eu

sample=chaos
. "$(dirname "$0")/../support/sample.sh"
run "-Dorg.slf4j.simpleLogger.logFile=$logs/consumer.log" io.highway.samples.chaos.Chaos "$@"
