# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Builds all published files of a version in build/release.
. scripts/site.sh
. scripts/reference.sh
. scripts/maven.sh
. scripts/debian.sh

release() {
    local version out=build/release fiji=build/release-fiji
    version=$(project_version)
    has dh || stop "A release contains Debian packages, which need debhelper and the packages of packaging/debian/control."
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
    add_sources "$version" $out
    add_repository "$version" $out
    write_bill "$version" >"$out/drua-$version.spdx.json"
    debian -b
    cp build/debian/*.deb $out
    (cd $out && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS)
    mkdir -p $out/docs
    cp -R docs/. $out/docs
    rm -rf $out/docs/site
    [ ! -d build/doc/site ] || cp -R build/doc/site $out/docs/site
    install_site $out/site $fiji
    try_archive "$version" $out
    say "$out is complete: the demonstration ran in an ImageJ with the files of the site"
}

# Adds the committed files as an archive, and the recipes of packages that are made of it.
add_sources() { # version, folder
    local name=drua-$1-source.tar.gz digest
    git archive --format=tar --prefix="drua-$1/" HEAD | gzip -n9 >"$2/$name"
    digest=$(sha256sum <"$2/$name" | cut -d ' ' -f 1)
    mkdir -p "$2/packaging"
    sed "s/SHA256$/$digest/" packaging/conda/recipe.yaml >"$2/packaging/recipe.yaml"
    sed "s/\"SHA256\"/\"$digest\"/" packaging/homebrew/drua.rb >"$2/packaging/drua.rb"
}

# Adds the Maven repository, with the engines of all platforms, as a zip.
add_repository() { # version, folder
    rm -rf build/release-engines build/maven
    mkdir -p build/release-engines
    cp -R build/fiji/lib build/release-engines/natives
    maven_repository build build/release-engines build/maven "$(commit_seconds)"
    python3 fiji-update-site/platforms/pack.py "$(commit_seconds)" "$2/drua-$1-maven.zip" build/maven
}

# Prints the bill of materials.
write_bill() { # version
    cmake -DINTO=build/libraries.tsv -P fiji-update-site/platforms/list.cmake
    python3 scripts/sbom.py "$1" "$(commit_seconds)" build/libraries.tsv java/jars.sha256
}

# Prints the section of a version without its heading, because the release's title has the version.
changes_of() { # version
    awk -v version="$1" '/^## / {inside = $2 == version; next} inside && (NF || text) {text = 1; print}' CHANGELOG.md
}

# Builds and runs the example with the archive for programs on this computer.
try_archive() { # version, folder
    local platform=linux64 place=build/release-archive
    [ "$(uname -m)" = x86_64 ] || platform=linux-arm64
    rm -rf $place
    mkdir -p $place
    tar -xf "$2/drua-$1-$platform.tar.gz" -C $place
    place=$place/drua-$1-$platform
    cc tests/example/example.c "-I$place/include" "-L$place/lib" -ldrua -o "$place/example" &&
        LD_LIBRARY_PATH=$place/lib "$place/example" >&2 && LD_LIBRARY_PATH=$place/lib "$place/bin/drua" version >&2 ||
        stop "The example fails with the archive for programs."
}

# Installs the site into an empty folder as the updater does, and runs the demonstration with only these files.
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
