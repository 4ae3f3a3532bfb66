# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Makes the update site for Fiji, for this platform or for all.
. scripts/platforms.sh
. scripts/reference.sh
. scripts/wheel.sh

site() { # optional: all
    case ${1:-} in
        "") site_here ;;
        all) site_all ;;
        *) stop "usage: ./dev site, or ./dev site all" ;;
    esac
}

# The published files: the plugin and the jar of operation pages.
build_plugin() {
    build_all
    [ -n "$(jar_in build/java 'Drua_pages_-*.jar')" ] || make_reference
}

site_here() {
    build_plugin
    lay_here build/fiji
    write_site build/fiji build/site "$(date -u +%Y%m%d%H%M%S)"
}

lay_here() { # folder in Fiji's layout, filled with the build for this platform
    local name=linux64
    [ "$(uname -m)" = x86_64 ] || name=linux-arm64
    rm -rf "$1"
    mkdir -p "$1/plugins" "$1/lib/$name"
    cp build/java/*.jar "$1/plugins"
    cp build/lib/libdrua.so "$1/lib/$name"
}

# All platforms: the site, a zip to unpack over Fiji's folder, and an archive for programs on each platform.
site_all() {
    local version out=build/packages
    version=$(project_version)
    build_plugin
    build_platforms build/platforms
    rm -rf $out build/site
    mkdir -p $out
    lay_fiji build/platforms build/fiji
    write_site build/fiji build/site "$(date -u -d "@$(commit_seconds)" +%Y%m%d%H%M%S)"
    python3 fiji-update-site/platforms/pack.py "$(commit_seconds)" "$out/drua-$version-fiji.zip" build/fiji
    cp build/java/optional/*.jar $out # not in the site, because CLIJ2's API would harm a Fiji that has CLIJ2
    python3 fiji-update-site/platforms/pack.py "$(commit_seconds)" --jars $out
    pack_programs build/platforms $out
    write_wheels build/platforms $out
    (cd $out && sha256sum -- * >SHA256SUMS)
    ls -l $out >&2
}

write_site() { run_java fiji-update-site/MakeSite.java "$@"; } # folder in Fiji's layout, site, timestamp
