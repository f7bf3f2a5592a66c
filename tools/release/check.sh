#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds what a release publishes, twice and in two folders, into the repository target/release/repository, and checks
# it: the same bytes, Maven Central's rules, signatures, SBOMs, licences, and projects of users. Exits with 0 only if
# every check passed. Without --url, --scm and the key in MAVEN_GPG_KEY it takes placeholders, which are not for
# publishing; with all three, target/release/bundle.zip is what to upload. Needs Python 3 with pip.
#
# Usage: tools/release/check.sh [--url URL] [--scm URL]
#   --url URL     the project's page
#   --scm URL     the project's repository, as git clones it
set -eu

sample=release
. "$(dirname "$0")/../fixtures/options.sh"
url= scm=
while [ $# -gt 0 ]; do
    case $1 in
    --url) url=$2 ;;
    --scm) scm=$2 ;;
    esac
    shift 2
done
cd "$(dirname "$0")/../.."

python=$PWD/target/release-python
if [ ! -e "$python/installed" ] || [ tools/release/requirements.txt -nt "$python/installed" ]; then
    rm -rf "$python"
    python3 -m pip install --quiet --quiet --no-cache-dir --root-user-action=ignore --target "$python" \
        --requirement tools/release/requirements.txt || failed "pip could not install tools/release/requirements.txt"
    touch "$python/installed"
fi
PYTHONPATH=$python supervise python3 tools/release/check.py "$url" "$scm"
