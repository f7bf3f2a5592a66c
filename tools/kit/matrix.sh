#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the test kit and of the first samples on each combination of Dubbo, Spring Boot and Java, with
# classes that are compiled once, on the default versions, as those of the published jars are. Installs the Javas that
# are missing. Spring Boot 4 runs with Dubbo itself and @EnableDubbo, without Dubbo's starter, which is not tested with
# it. Exits with 0 only if each combination passes.
#
# Usage: tools/kit/matrix.sh [options]
#   --quick     the oldest and the newest combination only
#   --markdown  also prints the table of docs/reference/configuration.md
set -eu

sample=matrix
. "$(dirname "$0")/../fixtures/options.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
logs=$root/tools/kit/target/matrix

# What runs in a cell, and with Spring Boot 4, too: the actuator, whose types it has moved.
modules='highway-sdk-test samples/hello samples/hello-spring-boot samples/spring-boot'
usual='FaultsTest,RealTest,SpringTest,RealSpringTest,HelloTest,HelloSpringBootTest'

dubbos='3.2.19 3.3.6'
boots='2.7.18 3.2.12 3.5.16 4.0.8 4.1.1'
javas='17 21 25'
# What Spring Boot 4 runs without.
dubbos_starter=org.apache.dubbo:dubbo-spring-boot-starter,org.apache.dubbo:dubbo-spring-boot-autoconfigure
dubbos_starter=$dubbos_starter,org.apache.dubbo:dubbo-spring-boot-autoconfigure-compatible

maven() { # log, arguments
    supervise sh -c 'cd "$1" && modules=$2 log=$3 && shift 3 &&
        exec mvn -B -ntp -Dspotless.check.skip -DskipErrorProne -am -pl "$modules" "$@" >"$log" 2>&1' \
        sh "$root" "$(echo "$modules" | tr ' ' ,)" "$@"
}

# Runs the tests with classes that are built.
run() { # Dubbo, Spring Boot, Java
    log=$logs/dubbo-$1-boot-$2-java-$3.log
    java=$("$root/tools/gateways/install.sh" "java$3") || failed "installing Java $3 failed"
    json=
    [ "$3" -lt 24 ] || json=-Ddubbo.json-framework.prefer=fastjson2
    slf4j=$(sed -n 's/.*<slf4j.version>\(.*\)<.*/\1/p' "$root/pom.xml")
    case $2 in
    2.*) slf4j=1.7.36 ;;
    esac
    without=
    tests=$usual
    junit=$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' "$root/pom.xml")
    case $2 in
    4.*)
        without=$dubbos_starter
        junit=6.0.3 # Spring 7 needs it
        tests=$usual,SpringBootSampleTest
        ;;
    esac
    maven "$log" compile surefire:test -Dmaven.main.skip -Denforcer.skip "-Ddubbo.version=$1" "-Dspring-boot.version=$2" \
        "-Dslf4j.version=$slf4j" "-Djvm=$java" "-Dtest.java25=$json" "-Dmaven.test.dependency.excludes=$without" \
        "-Djunit.version=$junit" "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false
}

# The number of tests, if each class has run.
tests_run() {
    for class in $(echo "$tests" | tr , ' '); do
        grep -q "Running .*\.$class\$" "$log" || return 1
    done
    sed -n 's/^\[INFO\] Tests run: \([1-9][0-9]*\), [^T]*$/\1/p' "$log" | awk '{ tests += $1 } END { print tests }'
}

cell() { # Dubbo, Spring Boot, Java
    cells=$((cells + 1))
    name="Dubbo $1, Spring Boot $2, Java $3"
    if run "$@" && count=$(tests_run); then
        passed=$((passed + 1))
        echo "$1 $2 $3" >>"$logs/passed"
        echo "matrix: $name: $count tests passed"
    else
        echo "matrix: $name: failed, see $log"
    fi
}

# Makes one line of those with the same first two words.
group() {
    awk '{ key = $1 " " $2; if (!(key in thirds)) keys[++count] = key; thirds[key] = thirds[key] "," $3 }
        END { for (i = 1; i <= count; i++) print keys[i], substr(thirds[keys[i]], 2) }'
}

markdown() {
    echo '| Dubbo | Spring Boot | Java |'
    echo '|---|---|---|'
    group <"$logs/passed" | awk '{ print $1, $3, $2 }' | group | sed 's/\(.*\) \(.*\) \(.*\)/| \1 | \3 | \2 |/; s/,/, /g'
}

case " $* " in
*" --quick "*) combinations="${dubbos%% *}:${boots%% *}:${javas%% *} ${dubbos##* }:${boots##* }:${javas##* }" ;;
*)
    combinations=$(for dubbo in $dubbos; do
        for boot in $boots; do
            for java in $javas; do
                case $dubbo:$boot in
                3.2.*:4.*) ;; # Dubbo 3.2 is older than Spring 7
                *) echo "$dubbo:$boot:$java" ;;
                esac
            done
        done
    done)
    ;;
esac
mkdir -p "$logs"
: >"$logs/passed"
echo "matrix: building"
maven "$logs/build.log" test-compile || failed "building failed, see $logs/build.log"
cells=0
passed=0
for combination in $combinations; do
    cell $(echo "$combination" | tr : ' ')
done
case " $* " in
*" --markdown "*) markdown ;;
esac
echo "matrix: $cells cells, $passed passed"
[ "$passed" = "$cells" ]
