#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proves that a gateway keeps what docs/reference/wire-contract.md says: builds and installs what it needs, starts
# providers, the gateways and a client, ends everything. Exits with 0 only if no case failed and every one that is
# not supported is a known limit of that gateway.
#
# Usage: tools/conformance/run.sh <envoy|nginx|haproxy|apisix|scg|scg-mvc|zuul|edge|reference|custom|table> [options]
#   custom: a gateway that is there already; table: the last runs side by side
#   --only WORDS                  only cases whose name contains this
#   --quick                       without the cases over 10 s: waiting for 90 s, reloads
#   --resends                     only "gateway resends", with retries of the gateway: it must fail, and name the setting
#   --both-islands                reference: only "one island in each upstream", with two of them in one: it must fail
#   --over TUNNEL                 only cases over dubbo, triple or http
#   --dubbo ISLAND=HOST:PORT      custom: where it takes the Dubbo protocol; without ISLAND= for all; may be repeated
#   --triple ISLAND=HOST:PORT     custom: where it takes Triple, in the same way
#   --http ISLAND=HOST:PORT       custom: where it takes the HTTP tunnel, in the same way
#   --wait SECONDS                custom: how long to wait for it; default: 300
set -eu

sample=conformance
. "$(dirname "$0")/../fixtures/sample.sh"
install_gateways "$@"
# Else a Triple provider hands a call for a group that is not there to any other of the interface; read from the environment only.
export DUBBO_RPC_TRI_RESOLVE_FALLBACK_TO_DEFAULT=false
run "-Dorg.slf4j.simpleLogger.logFile=$logs/client.log" io.highway.tools.conformance.Conformance "$@"
