# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Builds the Spark module's jar in build/spark. Spark's own jars come from $SPARK_HOME, or are downloaded to
# .deps/spark.
. scripts/common.sh
. scripts/java.sh

spark_home() { realpath -m "${SPARK_HOME:-$deps/spark}"; }

have_spark() { (cd "$deps/spark/jars" 2>/dev/null &&
    sha256sum --status --check "$root/java/spark/jars.sha256" 2>/dev/null); }

fetch_spark() {
    [ -z "${SPARK_HOME:-}" ] || return 0
    have_spark && return
    has mvn || stop "Maven is missing (Debian: maven); it fetches Spark."
    mkdir -p "$deps/spark"
    say "fetching Spark, 230 MB"
    mvn -q -B -f java/spark/pom.xml org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
        "-DoutputDirectory=$deps/spark/jars" \
        >"$deps/spark/log.txt" 2>&1 || { cat "$deps/spark/log.txt" >&2; stop \
            "Maven could not fetch Spark; is Maven Central reachable?"; }
    (cd "$deps/spark/jars" && sha256sum --check --quiet "$root/java/spark/jars.sha256") ||
        stop "A jar in .deps/spark differs from its checksum in java/spark/jars.sha256; delete .deps/spark and run ./dev again."
}

build_spark() {
    fetch_spark
    local classes=build/spark/classes
    rm -rf build/spark
    mkdir -p "$classes"
    compile_java --release 17 -Xlint:all,-classfile,-processing,-path -Werror -d "$classes" -cp \
        "$(spark_home)/jars/*" java/spark/src/drua/spark/*.java || return
    cp LICENSE NOTICE "$classes"
    "$(jdk_home)/bin/jar" cf build/spark/drua-spark.jar -C "$classes" .
}
