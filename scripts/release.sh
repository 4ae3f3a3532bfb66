# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Builds all published files of a version in build/release.
. scripts/site.sh
. scripts/reference.sh

release() {
    local version out=build/release fiji=build/release-fiji
    version=$(project_version)
    [ -z "$(git status --porcelain)" ] || stop \
        "A release contains only committed files: commit or remove the files that 'git status' lists."
    rm -rf $out $fiji
    mkdir -p $out
    changes_of "$version" >$out/CHANGES.md
    [ -s $out/CHANGES.md ] || stop "CHANGELOG.md has no section '## $version'; describe the changes there."
    doc >&2
    site_all
    cp -R build/site $out/site
    cp build/packages/* $out
    mkdir -p $out/docs
    cp -R docs/. $out/docs
    rm -rf $out/docs/site
    [ ! -d build/doc/site ] || cp -R build/doc/site $out/docs/site
    install_site $out/site $fiji
    say "$out is complete: the demonstration ran in an ImageJ with the files of the site"
}

changes_of() { # version
    awk -v version="$1" '/^## / {inside = $2 == version} inside' CHANGELOG.md
}

# Installs the site into an empty folder like the updater, and runs the demonstration there without the build.
install_site() { # site, folder
    local classes jar out=build/release-demo
    rm -rf $out
    mkdir -p $out
    run_java fiji-update-site/MakeSite.java --check "$1" "$2" >&2 ||
        stop "The site's files differ from its records: see above."
    classes=$(imagej_path patched)
    for jar in "$2"/plugins/*.jar; do classes=$classes:$jar; done
    quiet_java run_java -Djava.awt.headless=true "${opened[@]}" "-Dplugins.dir=$2" -cp "$classes" "$macro_class" \
        macros/segment_nuclei.ijm "macros/images,$out" >&2 || stop "The demonstration fails with the files of the site."
}
