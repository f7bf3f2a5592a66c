#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A benchmark by its name: builds what it needs, runs, ends everything. Exits with 0 only if every call was
# answered. page: publishes what the others have measured: numbers and plots in docs/maintain/benchmarks/, tables in the
# pages of docs.
#
# Usage: tools/benchmarks/run.sh <decision|tunnel|legacy|thin-link|scale|gateways|compression|facts|memory|page>
#   [options]
#   --quick                  one to three minutes, with wider spreads
#   --only NAMES             a comma list. thin-link: of tunnels,zstd,families,downloads,classes,long; tunnel: of
#                            direct,nginx,reference,envoy (default: reference,envoy); gateways: of
#                            envoy,nginx,haproxy,scg,scg-mvc,zuul,edge,reference. Default: all of them
#   --rates NUMBERS          thin-link: of the link in Mbit/s, such as 10,30
#   --rtt MILLIS, --size SIZES, --callers NUMBERS    thin-link: cells of the part long, such as
#                            --rtt 60 --size 80KB --callers 8; without --only, that part alone
#   --signed                 tunnel: the calls of the SDK are signed, and the provider demands it
#   --connections NUMBER     tunnel: of each side, one after another; default: 7
#   --over TUNNELS           gateways: of dubbo,triple,http. Default: all of them
#   --hops NUMBER            gateways: 1, the gateway of home in front of the provider; 3, a star. Default: 1
set -eu

sample=benchmarks
. "$(dirname "$0")/../fixtures/sample.sh"
name=$argument

# Envoy's Python is there wherever Envoy is; the plots need their library, in a separate folder.
if [ "$name" = page ]; then
    plots=$target/plots
    [ -e "$plots/matplotlib" ] ||
        python3 -m pip install -q --disable-pip-version-check --target "$plots" matplotlib==3.10.7 >&2
    supervise env "PYTHONPATH=$plots" python3 "$root/tools/benchmarks/page.py" "$target" "$root/docs"
    exit
fi

case $name in
tunnel) install_gateways envoy nginx ;;
legacy) install_gateways nginx ;;
thin-link) "$root/tools/gateways/install.sh" iproute2 >/dev/null || : ;; # it says itself what it lacks
esac

# The full compiler, here and in what is started from here.
run -XX:TieredStopAtLevel=4 "-Dorg.slf4j.simpleLogger.logFile=$logs/callers.log" \
    io.highway.tools.benchmarks.Benchmarks "$@"
