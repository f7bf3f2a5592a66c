#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A benchmark by its name (decision, tunnel, legacy, thin-link, scale, gateways, compression): builds what it needs, runs, ends everything.
# --quick makes it short; --help says what else there is. Exits with 0 only if every call was answered.
# page: writes what the others have measured into docs/benchmarks.md and docs/benchmarks/, with plots.
set -eu

sample=benchmarks
. "$(dirname "$0")/../support/sample.sh"
name=${1:-}

# Envoy's Python is there wherever Envoy is; the plots need their library, in a folder of its own.
if [ "$name" = page ]; then
    plots=$target/plots
    [ -e "$plots/matplotlib" ] ||
        python3 -m pip install -q --disable-pip-version-check --target "$plots" matplotlib==3.10.7 >&2
    PYTHONPATH=$plots exec python3 "$root/samples/benchmarks/page.py" "$target" "$root/docs"
fi

case $name in
tunnel) install_gateways envoy ;;
legacy) install_gateways nginx ;;
thin-link) "$root/samples/gateways/install.sh" iproute2 >/dev/null || : ;; # it says itself what it lacks
esac

# The full compiler, here and in what is started from here.
benchmark() {
    run -XX:TieredStopAtLevel=4 "-Dorg.slf4j.simpleLogger.logFile=$logs/callers.log" \
        io.highway.samples.benchmarks.Benchmarks "$@"
}

# What is printed stays in a file for the page, beside the numbers of the same run: one that was ended early, or that only
# printed its options, leaves both as they were. A pipe has the exit code of its last command only.
case $name in
'' | -*) benchmark "$@" ;;
*)
    rm -f "$logs/code"
    touch "$logs/begun"
    {
        code=0
        (benchmark "$@") || code=$?
        echo "$code" >"$logs/code"
    } | tee "$logs/$name.md"
    [ "$target/$name.json" -nt "$logs/begun" ] && mv "$logs/$name.md" "$target/$name.md"
    exit "$(cat "$logs/code")"
    ;;
esac
