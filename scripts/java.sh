#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Starts Java. Scripts source this file. java.sh BUILD HOST MACRO [ARGUMENT...] runs a macro in ImageJ, see imagej().
# The jars of ImageJ, ij1-patcher, javassist, jython-standalone, groovy and JOCL are in $DRUA_DEPS, or else in .deps.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$(realpath -m "${DRUA_DEPS:-$project/.deps}")

# The project's Java programs.
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

java_has_windows() { # Java 8 has the library in a folder named after the processor
    local home
    home=$(jdk_home)
    [ -f "$home/lib/libawt_xawt.so" ] || compgen -G "$home/jre/lib/*/libawt_xawt.so" >/dev/null
}

jar_in() { # folder, patterns...: prints the first match
    local folder=$1
    shift
    for pattern; do find -L "$folder" -maxdepth 1 -name "$pattern" ! -name '*sources*' 2>/dev/null; done | sed -n 1p
}

plugin_path() { # build: Drua's jar and the jar for CLIJ2's start commands
    printf '%s:%s' "$(jar_in "$1/java" 'Drua_-*.jar')" "$(jar_in "$1/java" 'Drua_CLIJ2_compatibility_-*.jar')"
}

clij2_path() { # build: the jar for scripts of CLIJ2, and stubs of ImgLib2 unless ImgLib2's jars are there
    printf '%s:%s:%s' "$(jar_in "$1/java/optional" 'Drua_CLIJ2_API_-*.jar')" "$(jar_in "$deps" 'imglib2-[0-9]*.jar')" \
        "$1/java/made/clij2/stubs"
}

scijava_path() { # SciJava and BeanShell; status 1 if a jar is missing
    local path='' pattern jar
    for pattern in 'scijava-common-*.jar' 'parsington-*.jar' 'bsh-*.jar'; do
        jar=$(jar_in "$deps" "$pattern")
        [ -n "$jar" ] || return
        path+=:$jar
    done
    printf '%s' "${path#:}"
}

# Prints the class path of ImageJ: unchanged, patched for headless use as in Fiji, or with Jython, Groovy, Groovy and
# ImageJ2, or Groovy and SciJava. Returns status 1 if a jar is missing.
imagej_path() { # stock, patched, jython, groovy, imagej2 or scijava
    local ij patcher javassist jython groovy jocl imagej2
    ij=$(jar_in "$deps" 'ij-1*.jar' ij.jar)
    patcher=$(jar_in "$deps" 'ij1-patcher-*.jar')
    javassist=$(jar_in "$deps" 'javassist-*.jar')
    jython=$(jar_in "$deps" 'jython-standalone-*.jar')
    groovy=$(jar_in "$deps" 'groovy-[0-9]*.jar')
    jocl=$(jar_in "$deps" 'jocl-*.jar')
    imagej2=$(jar_in "$deps" 'prokaryote-*.jar')
    [ -n "$ij" ] || return
    case $1 in
        stock) printf '%s' "$ij" ;;
        patched) [ -n "$patcher" ] && [ -n "$javassist" ] && printf '%s' "$ij:$patcher:$javassist" ;;
        jython) [ -n "$jython" ] && printf '%s' "$jython:$ij${jocl:+:$jocl}" ;;
        groovy) [ -n "$groovy" ] && printf '%s' "$groovy:$ij" ;;
        imagej2) [ -n "$groovy" ] && [ -n "$imagej2" ] && printf '%s' "$groovy:$ij:$imagej2" ;;
        scijava) [ -n "$groovy" ] && scijava_path >/dev/null && printf '%s' "$groovy:$ij:$(scijava_path)" ;;
    esac
}

class_path() { printf '%s:%s' "$(plugin_path "$1")" "$(imagej_path stock)"; } # build

# OpenCL drivers for CPUs replace signal handlers that Java needs; libjsig chains the handlers of both.
java_command() { # sets java=(...); DRUA_JAVA is the home of a Java other than the one for building
    local home jsig
    home=${DRUA_JAVA:-$(jdk_home)}
    java=("$home/bin/java")
    for jsig in "$home/lib/libjsig.so" "$home"/jre/lib/*/libjsig.so "$home"/lib/*/libjsig.so; do
        [ -f "$jsig" ] && { java=(env "LD_PRELOAD=$jsig${LD_PRELOAD:+:$LD_PRELOAD}" "${java[@]}"); break; }
    done
}

# Runs Java without the option headless, so the program may open windows.
run_java() { # options, class, arguments...
    local java
    java_command
    "${java[@]}" "$@"
}

# Runs Java with the engine of a build and without a display.
run_headless() { # build, options, class, arguments...
    local build=$1
    shift
    run_java -Djava.awt.headless=true "-Ddrua.library=$(cd "$build" && pwd)/lib/libdrua.so" "$@"
}

# Uses the classes that the build has already patched, because patching takes longer than most macros. With PATCHING=1
# in the environment, ImageJ is patched when it starts.
patched_path() { # build
    local ready=$1/java/made/imagej-patched.jar
    [ -f "$ready" ] && [ -z "${PATCHING:-}" ] && printf '%s:' "$ready"
    imagej_path patched
}

# Runs a macro in this kind of ImageJ, or a script in Jython or Groovy.
imagej() { # build, host, Java options... -- FILE [ARGUMENT...]
    local build=$1 host=$2 options=() path
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    if [ "$host" = patched ]; then path=$(patched_path "$build"); else path=$(imagej_path "$host"); fi ||
        { echo "A jar of ImageJ is missing in $deps; ./dev build fetches it" >&2; return 2; }
    path+=:$(plugin_path "$build")
    case $host in
        jython | groovy) path+=:$(clij2_path "$build") ;;
        imagej2 | scijava) path+=:$(jar_in "$build/java/optional" 'Drua_SciJava_-*.jar') ;;
    esac
    case $host in
        stock) run_headless "$build" "${options[@]}" -cp "$path" "$macro_class" "$@" ;;
        patched) run_headless "$build" "${options[@]}" "${opened[@]}" -cp "$path" "$macro_class" "$@" ;;
        jython) run_headless "$build" "${options[@]}" -cp "$path" -Dpython.cachedir.skip=true org.python.util.jython \
            "$@" ;;
        groovy | imagej2 | scijava) run_headless "$build" "${options[@]}" -cp "$path" groovy.ui.GroovyMain "$@" ;;
    esac
}

# For short-lived processes: second-tier compilation and collector threads would take half of their time.
# shellcheck disable=SC2034
short_lived=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)

# ij1-patcher changes classes while they load, which Java 9 and later must allow. Only Java 8 has rt.jar.
opened=(--add-opens java.base/java.lang=ALL-UNNAMED)
for jar in lib/rt.jar jre/lib/rt.jar; do [ ! -f "${DRUA_JAVA:-$(jdk_home)}/$jar" ] || opened=(); done

# Removes libjsig's message from stderr. Returns after the filter has written all of stderr. Needs pipefail.
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
