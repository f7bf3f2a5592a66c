#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Calls between this release of the SDK and older ones, each as caller and as provider: both tunnels, signed and not,
# each compression. Builds the older ones from the repository's history: the last tag, and two commits from before the
# first release. Exits with 0 only if all calls succeed but those known as not possible.
#
# Usage: tools/kit/skew.sh [options]
#   --markdown  also prints the table as Markdown
set -eu

sample=skew
. "$(dirname "$0")/../fixtures/sample.sh"

# What an older one does not have, or has in another form.
lacks() { # revision
    case $1 in
    54edab9) echo signed,zstd ;;
    esac
}

# The module that brings all tunnels; releases before highway-sdk-http have one module.
module_of() { # folder
    if [ -d "$1/highway-sdk-http" ]; then echo highway-sdk-http; else echo highway-sdk-dubbo-filter; fi
}

build_older() { # revision, folder
    echo "skew: building $1" >&2
    rm -rf "$2"
    mkdir -p "$2"
    git -C "$root" archive -o "$2.tar" "$1" || failed "there is no revision $1"
    tar -x -f "$2.tar" -C "$2"
    supervise sh -c 'cd "$1" && exec mvn -B -ntp -q -am -pl "$2" -Dmaven.test.skip \
        -Dspotless.check.skip -DskipErrorProne -Dmdep.includeScope=compile -Dmdep.outputFile=target/class-path \
        package dependency:build-classpath' sh "$2" "$(module_of "$2")" >&2 || failed "building $1 failed"
}

for revision in 54edab9 23f99c97 $(git -C "$root" describe --tags --abbrev=0 2>/dev/null); do
    older=$logs/$revision
    [ -f "$older/$(module_of "$older")/target/class-path" ] || build_older "$revision" "$older"
    module=$older/$(module_of "$older")/target
    set -- "$@" "$revision=$(lacks "$revision")=$module/classes:$(cat "$module/class-path")"
done
run "-Dorg.slf4j.simpleLogger.logFile=$logs/run.log" io.highway.tools.kit.Skew "$@"
