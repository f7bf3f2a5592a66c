# SPDX-License-Identifier: Apache-2.0
# The convention of the samples' scripts, see samples/README.md: options, exit codes, Ctrl-C. Scripts set sample to
# their name and source this. The comment at the top of a script is its --help, and accepted is what it names:
#   --quick             an option
#   --seconds NUMBER    an option with a value
#   --center a|b        an option with one of these values
#   <a|b>               an argument that must be there, one of these; the first one in the comment

help() {
    awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

# One option a line, with its value.
options() {
    help | awk '{
        while (match($0, /--[a-z][a-z-]*( [A-Z][A-Z:,=]*| [a-z0-9]+([|][a-z0-9-]+)+)?/)) {
            option = substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH)
            if ($0 ~ /^[a-z]/) sub(/ .*/, "", option) # the next word, no value
            print option
        }
    }' | sort -u
}

refuse() {
    echo "$sample: $1; see $0 --help" >&2
    exit 2
}

failed() {
    echo "$sample: $1" >&2
    exit 1
}

check_word() { # what, value, allowed
    case "|$3|" in
    *"|$2|"*) ;;
    *) refuse "unknown $1 '$2'; allowed: $3" ;;
    esac
}

check_options() {
    known=$(options)
    words=$(help | sed -n 's/[^<]*<\([a-z0-9|-]*\)>.*/\1/p' | head -n 1)
    argument=
    while [ $# -gt 0 ]; do
        case $1 in
        -h | --help)
            help
            exit 0
            ;;
        -*)
            value=$(echo "$known" | awk -v option="$1" '$1 == option { value = $2 == "" ? "none" : $2 } END { print value }')
            [ -n "$value" ] || refuse "unknown option $1; allowed:$(echo "$known" | cut -d ' ' -f 1 | sort -u | sed 's/^./ &/' | tr -d '\n') --help"
            if [ "$value" != none ]; then
                case ${2:--} in
                -*) refuse "$1 needs a value: $1 $value" ;;
                esac
                case $value in
                *'|'*) check_word "value of $1" "$2" "$value" ;;
                esac
                shift
            fi
            ;;
        *)
            [ -n "$words" ] && [ -z "$argument" ] || refuse "unknown argument '$1'"
            check_word argument "$1" "$words"
            argument=$1
            ;;
        esac
        shift
    done
    [ -z "$words" ] || [ -n "$argument" ] || refuse "an argument is missing; allowed: $words"
}

# Runs a command that ends what it has started when it gets a TERM. It is in the background, where Ctrl-C does not
# reach it.
supervise() {
    "$@" &
    child=$!
    code=0
    wait "$child" || code=$?
    child=
    return "$code"
}

interrupted() {
    trap '' INT TERM HUP
    echo "$sample: interrupted" >&2
    if [ -n "$child" ]; then
        kill -TERM "$child" || :
        wait "$child" || :
    fi
    exit 130
}

child=
check_options "$@"
trap interrupted INT TERM HUP
