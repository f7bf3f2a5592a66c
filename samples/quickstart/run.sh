#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Three islands on this machine: builds what it needs, starts them, makes the calls, ends everything.
# Exits with 0 only if every call did what was expected.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
target=$root/samples/quickstart/target
hosts=$target/hosts
logs=$target/quickstart
stamp=$logs/built

is_built() {
    [ -f "$stamp" ] && grep -qwF "$(hostname)" "$hosts" && [ -z "$(changed | head -n 1)" ]
}

changed() {
    find "$root"/pom.xml "$root"/highway-sdk-* "$root"/samples -name target -prune -o \
        -type f \( -name pom.xml -o -path '*/src/main/*' \) -newer "$stamp" -print
}

if ! is_built; then
    echo "quickstart: building; the first time this takes a few minutes" >&2
    mkdir -p "$logs"
    rm -f "$stamp"
    touch "$stamp.begun"
    (cd "$root" && mvn -B -ntp -q -Dmaven.test.skip=true -Dspotless.check.skip=true \
        package -pl samples/quickstart -am) >&2
    mv "$stamp.begun" "$stamp"
fi

# The hosts file keeps all traffic on 127.0.0.1 and gives every island a name. From Java 24 on Dubbo wants to be told its
# JSON library.
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:TieredStopAtLevel=1 \
    "-Djdk.net.hosts.file=$hosts" \
    -Ddubbo.application.logger=slf4j -Ddubbo.json-framework.prefer=fastjson2 \
    "-Dorg.slf4j.simpleLogger.logFile=$logs/zhejiang-consumer.log" \
    -cp "$target/classes:$target/lib/*" io.highway.samples.quickstart.Quickstart "$logs"
