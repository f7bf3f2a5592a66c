#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A star under load while its parts fail one after another: builds what it needs, runs, ends everything. Exits
# with 0 only if no call was doubled, misrouted, hung or unaccounted for.
#
# Usage: tools/chaos/run.sh [options]
#   --seconds NUMBER                    how long the faults take together; default: 60
#   --only NAME                         only faults whose name contains this, without plain Dubbo next to them
#   --compression none|gzip|zstd|auto   of the callers; default: none
#   --dictionary                        with --compression zstd: both sides have a trained dictionary
#   --soak CALLS                        instead: so many calls, as fast as answers come, watching memory
#   --ledger CALLS                      instead: so many calls of each tunnel under all faults; with --proxy also its
#   --proxy http|socks5|squid|dante     instead: a forward proxy, http: tinyproxy, socks5: microsocks, is killed, paused
#   --standby                           instead: another island answers while one fails, for --seconds each, with fewer
#                                       callers below 30; swaps of served-by, and a move
#   --audit                             instead: calls that end badly or never, a kill, and the audit trail of them
#   --log-lines SECONDS                 instead: useless gateways, and the lines that a process logs with each
set -eu

sample=chaos
. "$(dirname "$0")/../fixtures/sample.sh"
run "-Dorg.slf4j.simpleLogger.logFile=$logs/consumer.log" io.highway.tools.chaos.Chaos "$@"
