#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks highway-sdk-test: how fast it is, that it leaves nothing, that its islands behave as real ones behind nginx do,
# and that tests with it find planted defects. Exits with 0 only if every check passed.
#
# Usage: tools/kit/run.sh [options]
#   --quick         fewer classes and one run with real sockets: at most 90 s
#   --only WORDS    only checks whose name contains this
set -eu

sample=kit
. "$(dirname "$0")/../fixtures/sample.sh"
install_gateways nginx
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.tools.kit.Kit --sources "$root" "$@"
