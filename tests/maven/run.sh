#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD: makes the Maven repository, installs it in an empty local repository, and builds and runs a program that
# depends on it. Needs no network.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(cd "${1:-build}" && pwd)
here=$PWD/tests/maven
. scripts/maven.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
check() { # what, function
    if (set -euo pipefail; "$2") >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
        sed 's/^/    /' "$work/said"
    fi
}

version=$(project_version)
lay_engine_here "$work/engine"
maven_repository "$build" "$work/engine" "$work/repository" 1700000000
place=$work/repository/drua/drua/$version/drua-$version

names() { python3 -m zipfile -l "$1" | awk '{print $1}'; }

all_files_are_there() {
    local kind
    for kind in .pom .jar -sources.jar -javadoc.jar -natives.jar; do
        [ -s "$place$kind" ]
        echo "$(cat "$place$kind.sha1")  $place$kind" | sha1sum --check --quiet
    done
    names "$place-sources.jar" | grep -Fx drua/Drua.java
    names "$place-sources.jar" | grep -Fx drua/Operations.java
    names "$place-javadoc.jar" | grep -Fx drua/Drua.html
    names "$place-natives.jar" | grep '^natives/.*/libdrua.so$'
}

same_bytes_again() {
    maven_repository "$build" "$work/engine" "$work/again" 1700000000
    diff -r "$work/repository" "$work/again"
}

pom_is_right() {
    python3 - "$place.pom" "$work/repository/drua/drua/maven-metadata.xml" "$version" <<'END'
import sys
import xml.etree.ElementTree as tree
pom, metadata = tree.parse(sys.argv[1]).getroot(), tree.parse(sys.argv[2]).getroot()
name = "{http://maven.apache.org/POM/4.0.0}"
assert pom.findtext(name + "version") == metadata.findtext("versioning/release") == sys.argv[3]
assert pom.find(name + "licenses") is not None
END
}

runs_a_program() { # class path
    mkdir -p "$work/classes"
    "$(jdk_home)/bin/javac" -d "$work/classes" -cp "$1" "$here/stranger/Stranger.java"
    XDG_CACHE_HOME=$work/cache run_java -Djava.awt.headless=true -cp "$work/classes:$1:$place-natives.jar" Stranger |
        grep -Fx 15.916 # 100 / s^2, where s is the sum of exp(-x^2 / 2) over x from -4 to 4
}

program_with_the_jars() { runs_a_program "$place.jar:$(jar_in "$deps" 'ij-1*.jar' ij.jar)"; }

# Maven itself finds the jar and ImageJ's from the one dependency. The local repository also has the Maven plugins and
# the jars that the build fetched.
program_by_maven() {
    cp -al "$HOME/.m2/repository" "$work/local"
    rm -rf "$work/local/drua"
    cp -R "$work/repository/drua" "$work/local/drua"
    mvn -q -B -o "-Dmaven.repo.local=$work/local" "-Ddrua=$version" -f "$here/stranger/pom.xml" \
        org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath "-Dmdep.outputFile=$work/path"
    grep -F "drua-$version.jar" "$work/path"
    runs_a_program "$(cat "$work/path"):$(jar_in "$deps" 'ij-1*.jar' ij.jar)"
}

check "all files are there, with checksums" all_files_are_there
check "the same bytes again" same_bytes_again
check "the pom" pom_is_right
check "a program with the jars" program_with_the_jars
if has mvn && [ -d "$HOME/.m2/repository/org/apache/maven/plugins/maven-dependency-plugin/3.6.1" ]; then
    check "a program by Maven" program_by_maven
else
    echo "SKIP a program by Maven: Maven or its dependency plugin is not on this computer"
    skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
