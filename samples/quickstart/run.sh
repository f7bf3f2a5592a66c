#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Four islands on this machine: builds and installs what it needs, starts them, makes the calls, ends everything.
# Exits with 0 only if every call did what was expected. At the end, target/quickstart/star.html shows the star.
#
# Usage: samples/quickstart/run.sh [options]
#   --gateway envoy|nginx|haproxy|apisix|reference     the gateways; default: reference
#   --plain               a line of keys and values for each call, for scripts, instead of a table
#   --keep                leaves the islands running after the calls, until Ctrl-C, and prints their addresses
#   --provider PORT       instead: a gateway for an application of your own, until Ctrl-C, and the lines to configure;
#                         calls for shanghai go to what you start on this port of 127.0.0.1
set -eu

sample=quickstart
. "$(dirname "$0")/../../tools/fixtures/sample.sh"
install_gateways "$@"
run "-Dorg.slf4j.simpleLogger.logFile=$logs/zhejiang-consumer.log" io.highway.samples.quickstart.Quickstart "$@"
