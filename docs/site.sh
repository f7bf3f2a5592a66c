#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation site into target/site: all pages of this repository, with search, in files that need no
# other host, so that they can be read inside an island, too. A broken link fails it, and a search that does not lead
# to what docs/site/questions.txt expects. Needs Python 3 with pip, Maven for the library that draws the diagrams, and
# Node for the questions, which are left out without it.
#
# Usage: docs/site.sh
set -eu

sample=site
. "$(dirname "$0")/../tools/fixtures/options.sh"
check_options "$@"
cd "$(dirname "$0")/.."

python=$PWD/target/site-python
if [ ! -e "$python/installed" ] || [ docs/site/requirements.txt -nt "$python/installed" ]; then
    rm -rf "$python"
    python3 -m pip install --quiet --no-cache-dir --root-user-action=ignore --target "$python" \
        --requirement docs/site/requirements.txt || failed "pip could not install docs/site/requirements.txt"
    touch "$python/installed"
fi
export PYTHONPATH="$python" NO_MKDOCS_2_WARNING=1
python3 docs/site/pages.py target/site-pages
# Not in the project's folder: its modules have nothing to do with it.
(cd target && mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack \
    -Dartifact=org.webjars.npm:mermaid:11.6.0 -Dmdep.unpack.includes='**/mermaid.min.js' -DoutputDirectory=site-mermaid)
cp docs/site/extra.css docs/site/narrow.js target/site-mermaid/META-INF/resources/webjars/mermaid/11.6.0/dist/mermaid.min.js target/site-pages/
python3 -m mkdocs build --strict --clean --config-file docs/site/mkdocs.yml
hosts=$(grep -rhoE '(src|href)="(https?:)?//[^"]*"' target/site --include='*.html' | grep -E '^src|\.(css|js)"' | sort -u) || true
[ -z "$hosts" ] || failed "pages load from other hosts: $hosts"
if command -v node >/dev/null; then
    node docs/site/search.js target/site docs/site/questions.txt
else
    echo "site: no search was asked, since Node is missing"
fi
echo "site: $(find target/site -name '*.html' | wc -l) pages in target/site"
