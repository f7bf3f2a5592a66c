#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Attacks an island whose guard demands signatures: replays, forgeries, calls without headers, floods. Real
# processes, with the reference gateway and nginx in front, and Redis for replays to other processes; it installs
# what is missing. Exits with 0 only if nothing ran that must not, and the audit trail has a line for each call
# that ran.
#
# Usage: tools/security/run.sh [options]
#   --quick         a tenth of the calls, and a shorter flood
#   --isolation     instead: only what a flood costs another caller; on a quiet machine
#   --memory        instead: storms of bombs, large and stalled requests on a provider with a heap of 512 MB, with the
#                   SDK and in plain Dubbo, and of answers on such a caller; with --quick each storm that matters once
#   --decoding      instead: arrays, sets, class names and classes that must not be decoded, from peers without a key,
#                   and names that occur once, on a provider with a heap of 512 MB; with --quick a part of them, on
#                   Dubbo 3.3 only
#   --only tri33|dubbo33|http33|tri32|dubbo32|http32
#                   with --memory or --decoding: over one tunnel, on Dubbo 3.3 or 3.2
#   --runs NUMBER   with --memory: how often each storm runs; by default five times, with --quick once
#   --storm REGEX   with --memory: only the storms whose names it finds; with --quick any of them, once
#   --set KEY=VALUE with --memory or --decoding: a key of the SDK, without highway. in front
set -eu

sample=security
. "$(dirname "$0")/../fixtures/sample.sh"
case " $* " in
*" --memory "*) ;; # needs neither
*" --decoding "*) install_gateways nginx ;;
*)
    install_gateways nginx
    command -v redis-server >/dev/null || install redis
    ;;
esac
case " $* " in
*" --isolation "*) compiler=4 ;; # the full compiler, here and in what is started from here
*) compiler=1 ;;
esac
run -XX:TieredStopAtLevel=$compiler "-Daudit.file=$logs/callers.log" io.highway.tools.security.Security "$@"
