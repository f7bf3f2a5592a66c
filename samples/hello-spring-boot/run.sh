#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The first call to another island, by two Spring Boot applications: builds what it needs, starts them, calls,
# ends everything. Exits with 0 only if the call was answered.
#
# Usage: samples/hello-spring-boot/run.sh
set -eu

sample=hello-spring-boot
. "$(dirname "$0")/../../tools/fixtures/sample.sh"
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.samples.hellospringboot.run.HelloSpringBoot
