# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Makes a Maven repository with the plugin's jar, its sources, its documentation and the engine.
. scripts/platforms.sh

maven() {
    build_all
    rm -rf build/maven
    lay_engine_here build/maven-engine
    maven_repository build build/maven-engine build/maven "$(commit_seconds)"
    say "written: build/maven; README.md says how a Java plugin depends on it"
}

# Copies the engine of this computer to the path at which the plugin looks for it in jars.
lay_engine_here() { # folder
    local name=linux64
    [ "$(uname -m)" = x86_64 ] || name=linux-arm64
    rm -rf "$1"
    mkdir -p "$1/natives/$name"
    cp build/lib/libdrua.so "$1/natives/$name"
}

# Writes the repository without Maven: its layout is a folder for each version, and a list of versions.
maven_repository() { # build, folder of engines, repository, time of the files
    local version place=$3/drua/drua start work=$1/maven-made
    version=$(project_version)
    start=$place/$version/drua-$version
    rm -rf "$work"
    mkdir -p "$place/$version" "$work/sources"
    cp -R java/src/. "$1/java/made/source/." "$work/sources"
    "$(jdk_home)/bin/javadoc" -quiet -Xdoclint:none -encoding UTF-8 -notimestamp --release 8 -d "$work/javadoc" \
        -cp "$(jar_in "$deps" 'ij-1*.jar' ij.jar):$(jar_in "$deps" 'minimal-json-*.jar'):$1/java/made/stubs" \
        -sourcepath "$work/sources" drua >"$work/javadoc.log" 2>&1 || stop "Writing the documentation of the Java \
classes failed; see $work/javadoc.log."
    sed "s/@VERSION@/$version/" packaging/maven/pom.xml.in >"$start.pom"
    cp "$1/java/Drua_-$version.jar" "$start.jar"
    pack_jar "$start-sources.jar" "$work/sources" "$4"
    pack_jar "$start-javadoc.jar" "$work/javadoc" "$4"
    pack_jar "$start-natives.jar" "$2" "$4"
    python3 fiji-update-site/platforms/pack.py "$4" --jars "$place/$version"
    write_versions "$version" "$4" >"$place/maven-metadata.xml"
    add_checksums "$place"
}

pack_jar() { # jar, folder, time of the files
    python3 fiji-update-site/platforms/pack.py "$3" "$1.zip" "$2"
    mv "$1.zip" "$1"
}

write_versions() { # version, time
    cat <<END
<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>drua</groupId>
  <artifactId>drua</artifactId>
  <versioning>
    <latest>$1</latest>
    <release>$1</release>
    <versions>
      <version>$1</version>
    </versions>
    <lastUpdated>$(date -u -d "@$2" +%Y%m%d%H%M%S)</lastUpdated>
  </versioning>
</metadata>
END
}

add_checksums() { # folder
    local file kind
    while read -r file; do
        for kind in md5 sha1 sha256 sha512; do "${kind}sum" "$file" | cut -d ' ' -f 1 >"$file.$kind"; done
    done < <(find "$1" -type f | sort)
}
