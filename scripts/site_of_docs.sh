# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Makes the documentation site in build/doc/site with MkDocs and Material, in a separate Python environment. Only this
# script needs python3 and these packages.
. scripts/common.sh
. scripts/java.sh

site_of_docs() { # build, class path, folder of the reference
    local folder=$1/doc
    site_sources "$@"
    if ! make_python "$folder/python" docs/site/requirements.txt; then
        say "The site was not made, because $reason; the pages in docs/reference are complete."
        return 0
    fi
    rm -rf "$folder/site"
    NO_MKDOCS_2_WARNING=1 "$folder/python/bin/mkdocs" build -f "$folder/mkdocs.yml" >"$folder/log.txt" 2>&1 ||
        { grep -v ^INFO "$folder/log.txt" >&2; stop "MkDocs failed to make the site."; }
    rm "$folder/site/404.html"                                          # only used by a server
    use_search "$folder/site"
    echo "$folder/site/index.html"
}

# Replaces Material's search by assets/search.js.
use_search() { # site
    find "$1" -name '*.html' -exec sed -i \
        's|"search": "\([./]*\)assets/javascripts/workers/[^"]*"|"search": "\1assets/search.js"|' {} +
    rm -r "$1/assets/javascripts/workers" "$1/assets/javascripts/lunr"
}

# Prepares MkDocs' input: all pages, their list and the settings.
site_sources() { # build, class path, folder of the reference
    local folder=$1/doc
    rm -rf "$folder/pages"
    mkdir -p "$folder"
    run_headless "$1" -cp "$2" "$site_class" "$3" "$1/tasks" "$folder"
    {
        printf 'INHERIT: %s\ndocs_dir: pages\nsite_dir: site\n' "$root/docs/site/mkdocs.yml"
        repository_address | sed 's/^/repo_url: /'
        cat "$folder/navigation.yml"
    } >"$folder/mkdocs.yml"
}

# Prints the address of the repository from which this checkout came, for a link on each page; nothing if it has no
# address on the web. Names and passwords are left out.
repository_address() {
    { git -C "$root" remote get-url origin 2>/dev/null || true; } |
        sed -nE 's|^git@([^:]+):|https://\1/|; s|^ssh://|https://|; s|^(https://)[^/@]*@|\1|; s|\.git/?$||; /^https:/p'
}

# Installs Python packages with fixed checksums into a folder. On failure the status is 1 and `reason` tells why.
make_python() { # folder, list of packages
    local mark=$1/made.sha256
    sha256sum --status --check "$mark" 2>/dev/null && return
    has python3 || { reason="python3 is missing"; return 1; }
    rm -rf "$1"
    mkdir -p "$(dirname "$1")"
    python3 -m venv "$1" >"$1.log" 2>&1 || { reason="python3 cannot create environments (Debian: python3-venv)";
        return 1; }
    say "fetching the Python packages of $2"
    "$1/bin/pip" install -q --disable-pip-version-check --require-hashes --only-binary :all: -r "$2" >"$1.log" 2>&1 ||
        { reason="fetching the Python packages of $2 failed ($1.log)"; return 1; }
    sha256sum "$2" >"$mark"
}
