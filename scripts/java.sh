#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where Java is started. Sourced by the scripts; or: java.sh BUILD HOST MACRO [ARGUMENT...] runs a macro in ImageJ, see imagej.
# The jars of ImageJ, ij1-patcher, javassist, jython-standalone and JOCL are looked for in $DRUA_DEPS, else in .deps.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$(realpath -m "${DRUA_DEPS:-$project/.deps}")

# The project's programs in Java.
macro_class=drua.MacroMain
reference_class=drua.generate.GenerateReference
pictures_class=drua.generate.DocumentPictures
site_class=drua.generate.GenerateSite
test_package=drua.test
export reference_class pictures_class site_class test_package

jdk_home() {
    if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/javac" ]; then
        printf '%s' "$JAVA_HOME"
    elif command -v javac >/dev/null 2>&1; then
        dirname "$(dirname "$(readlink -f "$(command -v javac)")")"
    fi
}

java_has_windows() { # of Java 8 in a folder for the processor
    local home
    home=$(jdk_home)
    [ -f "$home/lib/libawt_xawt.so" ] || compgen -G "$home/jre/lib/*/libawt_xawt.so" >/dev/null
}

jar_in() { # folder, patterns...: the first jar there
    local folder=$1
    shift
    for pattern; do find -L "$folder" -maxdepth 1 -name "$pattern" ! -name '*sources*' 2>/dev/null; done | sed -n 1p
}

plugin_path() { # build: Drua, and what answers to CLIJ2's start commands
    printf '%s:%s' "$(jar_in "$1/java" 'Drua_-*.jar')" "$(jar_in "$1/java" 'Drua_CLIJ2_compatibility_-*.jar')"
}

# ImageJ as it is, patched as Fiji does to run without a display, or with Jython. Status 1: a jar is missing.
imagej_path() { # stock, patched or jython
    local ij patcher javassist jython jocl
    ij=$(jar_in "$deps" 'ij-1*.jar' ij.jar)
    patcher=$(jar_in "$deps" 'ij1-patcher-*.jar')
    javassist=$(jar_in "$deps" 'javassist-*.jar')
    jython=$(jar_in "$deps" 'jython-standalone-*.jar')
    jocl=$(jar_in "$deps" 'jocl-*.jar')
    [ -n "$ij" ] || return
    case $1 in
        stock) printf '%s' "$ij" ;;
        patched) [ -n "$patcher" ] && [ -n "$javassist" ] && printf '%s' "$ij:$patcher:$javassist" ;;
        jython) [ -n "$jython" ] && printf '%s' "$jython:$ij${jocl:+:$jocl}" ;;
    esac
}

class_path() { printf '%s:%s' "$(plugin_path "$1")" "$(imagej_path stock)"; } # build

# OpenCL on the processor takes over signals that Java needs; libjsig gives both theirs.
java_command() { # sets java=(...); DRUA_JAVA is the home of another Java than the one that builds
    local home jsig
    home=${DRUA_JAVA:-$(jdk_home)}
    java=("$home/bin/java")
    for jsig in "$home/lib/libjsig.so" "$home"/jre/lib/*/libjsig.so "$home"/lib/*/libjsig.so; do
        [ -f "$jsig" ] && { java=(env "LD_PRELOAD=$jsig${LD_PRELOAD:+:$LD_PRELOAD}" "${java[@]}"); break; }
    done
}

# As a program with a display would.
run_java() { # options, class and arguments...
    local java
    java_command
    "${java[@]}" "$@"
}

# With the engine of that build and without a display.
run_headless() { # build, options, class and arguments...
    local build=$1
    shift
    run_java -Djava.awt.headless=true "-Ddrua.library=$(cd "$build" && pwd)/lib/libdrua.so" "$@"
}

# With what the build has patched already, as patching takes longer than most macros. PATCHING=1 in the environment: patched at its start.
patched_path() { # build
    local ready=$1/java/made/imagej-patched.jar
    [ -f "$ready" ] && [ -z "${PATCHING:-}" ] && printf '%s:' "$ready"
    imagej_path patched
}

# An ImageJ of that kind runs a macro; in Jython a script.
imagej() { # build, host, Java's options... -- FILE [ARGUMENT...]
    local build=$1 host=$2 options=() path
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    if [ "$host" = patched ]; then path=$(patched_path "$build"); else path=$(imagej_path "$host"); fi || { echo "A jar of ImageJ's is missing in $deps" >&2; return 2; }
    path+=:$(plugin_path "$build")
    case $host in
        stock) run_headless "$build" "${options[@]}" -cp "$path" "$macro_class" "$@" ;;
        patched) run_headless "$build" "${options[@]}" "${opened[@]}" -cp "$path" "$macro_class" "$@" ;;
        jython) run_headless "$build" "${options[@]}" -cp "$path" -Dpython.cachedir.skip=true org.python.util.jython "$@" ;;
    esac
}

# For a process that ends after seconds: half of its time would go to compilers of the second tier and threads of the collector.
# shellcheck disable=SC2034
short_lived=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)

# ij1-patcher changes classes as they are loaded, for which Java 9 and later ask; 8 is the one that has rt.jar.
opened=(--add-opens java.base/java.lang=ALL-UNNAMED)
for jar in lib/rt.jar jre/lib/rt.jar; do [ ! -f "${DRUA_JAVA:-$(jdk_home)}/$jar" ] || opened=(); done

# Returns when the filter has written all of stderr. Needs pipefail.
quiet_java() { # command...
    { "$@" 2>&1 >&3 3>&- | { grep --line-buffered -v 'libjsig is activated' >&2 || true; }; } 3>&1
}

compile_java() { # options and files...
    "$(jdk_home)/bin/javac" -encoding UTF-8 "$@"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    build=$1 host=$2
    shift 2
    imagej "$build" "$host" -- "$@"
fi
