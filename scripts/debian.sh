# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Builds Debian packages of the committed files in build/debian.
. scripts/install.sh

debian() {
    local version out=build/debian tree
    has dpkg-buildpackage && has dh || stop "Debian packages need dpkg-dev and debhelper."
    version=$(sed -nE 's/^project\(drua VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
    tree=$out/drua-$version
    rm -rf $out
    mkdir -p "$tree"
    git archive HEAD | tar -x -C "$tree"
    (cd $out && tar -czf "drua_$version.orig.tar.gz" "drua-$version")
    cp -R packaging/debian "$tree/debian"
    (cd "$tree" && dpkg-buildpackage -us -uc "$@") >$out/build.log 2>&1 ||
        { tail -n 20 $out/build.log | cut -c 1-200 >&2; stop "Building the packages failed; see $out/build.log."; }
    say "written: $(cd $out && echo ./*.deb)"
}
