#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starts a star of real gateways with the configurations beside this file, makes the calls of the quickstart
# through it, and ends everything. Exits with 0 only if every call did what was expected.
#
# Usage: tools/gateways/run.sh <envoy|nginx|haproxy|apisix|reference>
set -eu

here=$(cd "$(dirname "$0")" && pwd)
sample=gateways
. "$here/../fixtures/options.sh"
kind=$1
quickstart=$here/../../samples/quickstart
files=$quickstart/target/quickstart
rm -rf "$files/$kind"
mkdir -p "$files/$kind"
files=$(cd "$files" && pwd)
case $kind in
envoy)
    program=$("$here/install.sh" envoy)
    "$program" --mode validate --log-level error -c "$here/envoy/minimal.yaml"
    ;;
nginx)
    # names are looked up when a configuration is checked, and here they lead nowhere
    program=$("$here/install.sh" nginx)
    sed -E 's/(server|proxy_pass) sms\.[a-z]+\.test:/\1 127.0.0.1:/' "$here/nginx/minimal.conf" >"$files/minimal.conf"
    "$program" -t -q -e "$files/minimal.log" -g "pid $files/minimal.pid;" -c "$files/minimal.conf"
    echo "nginx/minimal.conf is valid"
    ;;
haproxy)
    program=$("$here/install.sh" haproxy)
    sed -E 's/server sms sms\.[a-z]+\.test:/server sms 127.0.0.1:/' "$here/haproxy/minimal.cfg" >"$files/minimal.cfg"
    "$program" -c -q -f "$files/minimal.cfg"
    echo "haproxy/minimal.cfg is valid"
    ;;
apisix)
    "$here/install.sh" apisix >&2
    ;;
esac

# The launcher checks each file of the star before it starts a gateway with it.
echo "what the gateways run with, and what they write: $files/$kind"
exec "$quickstart/run.sh" --gateway "$kind"
