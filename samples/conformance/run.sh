#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proves that a gateway keeps what docs/wire-contract.md says: builds what it needs, starts providers, the gateways and a client, ends everything.
# <envoy|nginx|haproxy|scg|reference|table|custom --dubbo host:port --triple host:port> [--only "case words"] [--quick].
# Exits with 0 only if no case failed and every one that is not supported is a known limit of that gateway.
set -eu

sample=conformance
. "$(dirname "$0")/../support/sample.sh"
install_gateways "$@"
# Else a Triple provider hands a call for a group that is not there to any other of the interface; read from the environment only.
export DUBBO_RPC_TRI_RESOLVE_FALLBACK_TO_DEFAULT=false
run "-Dorg.slf4j.simpleLogger.logFile=$logs/client.log" io.highway.samples.conformance.Conformance "$@"
