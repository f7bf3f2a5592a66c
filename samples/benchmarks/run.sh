#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A benchmark by its name: builds what it needs, runs, ends everything.
# gateways [--quick] [--hops 1|3] [--only KIND,...]; decision [--quick]. Exits with 0 only if every call was answered.
set -eu

sample=benchmarks
. "$(dirname "$0")/../processes/sample.sh"
# The full compiler, here and in what is started from here.
run -XX:TieredStopAtLevel=4 "-Dorg.slf4j.simpleLogger.logFile=$logs/callers.log" io.highway.samples.benchmarks.Benchmarks "$@"
