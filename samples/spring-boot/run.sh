#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two Spring Boot applications in three islands on this machine: builds what it needs, starts them, asks the order
# service, ends everything. Exits with 0 only if every check passed.
#
# Usage: samples/spring-boot/run.sh
set -eu

sample=spring-boot
. "$(dirname "$0")/../../tools/fixtures/sample.sh"
run io.highway.samples.springboot.SpringBootSample
