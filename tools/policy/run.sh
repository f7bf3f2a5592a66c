#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Changes the policy of three running applications by a real ZooKeeper or Nacos, breaks it, rolls it back, kills
# the centre. Exits with 0 only if every step ended as expected.
#
# Usage: tools/policy/run.sh --center zookeeper|nacos [options]
#   --center zookeeper|nacos     the config centre; the first time, Nacos is a download of 152 MB
#   --nacos-client VERSION       of the applications' com.alibaba.nacos:nacos-client; default: the version of the build
#   --quick                      without the steps that kill the centre
set -eu

sample=policy
. "$(dirname "$0")/../fixtures/sample.sh"
build_nacos_server "$@"
client=$(echo " $* " | sed -n 's/.* --nacos-client \([^ ]*\) .*/\1/p')
lib=lib${client:+-nacos-client-$client}
if [ -n "$client" ] && [ ! "$target/$lib" -nt "$stamp" ]; then
    build tools/policy "-Dnacos-client.version=$client" "-Dlib=$lib" -Denforcer.skip
    touch "$target/$lib"
fi
run -cp "$target/classes:$target/$lib/*" "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.tools.policy.PolicySample --nacos-server "$nacos" "$@"
