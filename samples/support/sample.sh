# SPDX-License-Identifier: Apache-2.0
# What the samples' run.sh share; they set sample to the name of their folder and source this.
# Builds the sample where that is missing, or older than what it is made of.

root=$(cd "$(dirname "$0")/../.." && pwd)
target=$root/samples/$sample/target
hosts=$target/hosts
logs=$target/$sample
stamp=$logs/built

. "$root/samples/support/options.sh"

is_built() {
    [ -f "$stamp" ] && grep -qwF "$(hostname)" "$hosts" && [ -z "$(changed | head -n 1)" ]
}

changed() {
    find "$root"/pom.xml "$root"/highway-sdk-* "$root"/samples "$root"/test-support -name target -prune -o \
        -type f \( -name pom.xml -o -path '*/src/main/*' -o -path '*/samples/gateways/*' \) -newer "$stamp" -print
}

# Packages a module, and what it is made of, without tests.
build() {
    supervise sh -c 'cd "$1" && shift && exec mvn -B -ntp -q -Dmaven.test.skip=true -Dspotless.check.skip=true package "$@"' \
        sh "$root" -am -pl "$@" >&2 || failed "building $1 failed"
}

if ! is_built; then
    echo "$sample: building; the first time this takes a few minutes" >&2
    mkdir -p "$logs"
    rm -f "$stamp"
    touch "$stamp.begun"
    build "samples/$sample"
    mv "$stamp.begun" "$stamp"
fi

# Runs a main class of the sample, with options before it; its last argument is the folder for logs.
# The hosts file keeps all traffic on 127.0.0.1 and gives every island a name. From Java 24 on Dubbo wants to be told its
# JSON library.
run() {
    code=0
    supervise "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:TieredStopAtLevel=1 \
        "-Djdk.net.hosts.file=$hosts" \
        -Ddubbo.application.logger=slf4j -Ddubbo.json-framework.prefer=fastjson2 \
        -cp "$target/classes:$target/lib/*" "$@" "$logs" || code=$?
    case $code in
    0 | 1 | 2) return "$code" ;;
    130 | 143) interrupted ;;
    *) return 1 ;;
    esac
}

install() {
    "$root/samples/gateways/install.sh" "$1" >&2 || failed "installing $1 failed"
}

# Installs the gateways among these words where they are missing.
install_gateways() {
    for word in "$@"; do
        case $word in
        envoy | nginx | haproxy) install "$word" ;;
        esac
    done
}

nacos=$root/samples/support/nacos/target

# Builds the server in $nacos if it is among these words, and missing or old.
build_nacos_server() {
    case " $* " in
    *" nacos "*)
        if [ ! -f "$nacos/class-path" ] || [ -n "$(find "$root/samples/support/nacos" -name target -prune -o -type f -newer "$nacos/class-path" -print)" ]; then
            echo "$sample: building the Nacos server; the first time this downloads 152 MB" >&2
            build samples/support/nacos -Pnacos
            touch "$nacos/class-path"
        fi
        ;;
    esac
}
