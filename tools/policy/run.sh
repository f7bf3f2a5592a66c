#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Changes the policy of three running applications by a real ZooKeeper or Nacos, breaks it, rolls it back, kills
# the centre. Exits with 0 only if every step ended as expected.
#
# Usage: tools/policy/run.sh --center zookeeper|nacos [--quick]
#   --center zookeeper|nacos     the config centre; the first time, Nacos is a download of 152 MB
#   --quick                      without the steps that kill the centre
set -eu

sample=policy
. "$(dirname "$0")/../fixtures/sample.sh"
build_nacos_server "$@"
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.tools.policy.PolicySample --nacos-server "$nacos" "$@"
