#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Three islands on this machine: builds what it needs, starts them, makes the calls, ends everything.
# [--gateway envoy|nginx|haproxy|reference]. Exits with 0 only if every call did what was expected.
set -eu

sample=quickstart
. "$(dirname "$0")/../support/sample.sh"
install_gateways "$@"
run "-Dorg.slf4j.simpleLogger.logFile=$logs/zhejiang-consumer.log" io.highway.samples.quickstart.Quickstart "$@"
