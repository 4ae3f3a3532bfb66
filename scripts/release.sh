# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Everything that is published of one version, in build/release.
. scripts/site.sh
. scripts/reference.sh

release() {
    local version out=build/release fiji=build/release-fiji
    version=$(project_version)
    [ -z "$(git status --porcelain)" ] || stop "A release is made of what is committed: commit or remove what 'git status' shows."
    rm -rf $out $fiji
    mkdir -p $out
    changes_of "$version" >$out/CHANGES.md
    [ -s $out/CHANGES.md ] || stop "CHANGELOG.md has no section '## $version'; write what is new."
    doc >&2
    site_all
    cp -R build/site $out/site
    cp build/packages/* $out
    mkdir -p $out/docs
    cp -R docs/. $out/docs
    rm -rf $out/docs/site
    [ ! -d build/doc/site ] || cp -R build/doc/site $out/docs/site
    install_site $out/site $fiji
    say "$out is complete: the demonstration ran in an ImageJ into which the site was installed"
}

changes_of() { # version
    awk -v version="$1" '/^## / {inside = $2 == version} inside' CHANGELOG.md
}

# As the updater does, into an empty folder; then the demonstration runs there, with nothing of the build.
install_site() { # site, folder
    local classes jar out=build/release-demo
    rm -rf $out
    mkdir -p $out
    run_java fiji-update-site/MakeSite.java --check "$1" "$2" >&2 || stop "The site is not what it says."
    classes=$(imagej_path patched)
    for jar in "$2"/plugins/*.jar; do classes=$classes:$jar; done
    quiet_java run_java -Djava.awt.headless=true "${opened[@]}" "-Dplugins.dir=$2" -cp "$classes" "$macro_class" \
        macros/segment_nuclei.ijm "macros/images,$out" >&2 || stop "The demonstration does not run with the files of the site."
}
