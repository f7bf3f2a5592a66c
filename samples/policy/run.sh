#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Changes the policy of three running applications by a real ZooKeeper or Nacos, breaks it, rolls it back, kills the centre.
# --center zookeeper|nacos [--quick]. Exits with 0 only if every step ended as expected.
set -eu

sample=policy
. "$(dirname "$0")/../support/sample.sh"
nacos=$root/samples/support/nacos/target
case "$*" in
*nacos*)
    if [ ! -f "$nacos/class-path" ] || [ -n "$(find "$root/samples/support/nacos" -name target -prune -o -type f -newer "$nacos/class-path" -print)" ]; then
        echo "policy: building the Nacos server; the first time this downloads 152 MB" >&2
        (cd "$root" && mvn -B -ntp -q -Pnacos -Dmaven.test.skip=true -Dspotless.check.skip=true \
            package -pl samples/support/nacos -am) >&2
        touch "$nacos/class-path"
    fi
    ;;
esac
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.samples.policy.PolicySample --nacos-server "$nacos" "$@"
