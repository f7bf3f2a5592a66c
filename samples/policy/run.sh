#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Changes the policy of three running applications by a real ZooKeeper or Nacos, breaks it, rolls it back, kills
# the centre. Exits with 0 only if every step ended as expected.
#
# Usage: samples/policy/run.sh --center zookeeper|nacos [--quick]
#   --center zookeeper|nacos     the config centre; the first time, Nacos is a download of 152 MB
#   --quick                      without the steps that kill the centre
set -eu

sample=policy
. "$(dirname "$0")/../support/sample.sh"
nacos=$root/samples/support/nacos/target
case " $* " in
*" nacos "*)
    if [ ! -f "$nacos/class-path" ] || [ -n "$(find "$root/samples/support/nacos" -name target -prune -o -type f -newer "$nacos/class-path" -print)" ]; then
        echo "policy: building the Nacos server; the first time this downloads 152 MB" >&2
        build samples/support/nacos -Pnacos
        touch "$nacos/class-path"
    fi
    ;;
esac
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.samples.policy.PolicySample --nacos-server "$nacos" "$@"
