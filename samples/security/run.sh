#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Attacks an island whose guard demands signatures: replays, forgeries, calls without headers, floods. Real
# processes, with the reference gateway and nginx in front, and Redis for replays to other processes; it installs
# what is missing. Exits with 0 only if nothing ran that must not, and the audit trail has a line for each call
# that ran.
#
# Usage: samples/security/run.sh [options]
#   --quick         a tenth of the calls, and a shorter flood
#   --isolation     instead: only what a flood costs another caller; on a quiet machine
set -eu

sample=security
. "$(dirname "$0")/../support/sample.sh"
install_gateways nginx
command -v redis-server >/dev/null || install redis
case " $* " in
*" --isolation "*) compiler=4 ;; # the full compiler, here and in what is started from here
*) compiler=1 ;;
esac
run -XX:TieredStopAtLevel=$compiler "-Daudit.file=$logs/callers.log" io.highway.samples.security.Security "$@"
