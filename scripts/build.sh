# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Compiles everything or only the engine, with or without tests.
. scripts/install.sh

complain() { grep -vE '^\[[0-9]+/|^: && |^/usr/bin/cc |^ninja: ' "$1" >&2 || true; } # filters out the commands

# True if this tree was built on another computer; see pack.sh.
is_packed() { [ -f build/pack/is_here ] && [ ! -f build/CMakeCache.txt ]; }

# Future compilers may warn more, so warnings are errors only for those who run the tests.
compile() { # folder, CMake options... [-- targets; all by default]
    local folder=$1 options=()
    shift
    ! is_packed || return 0
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    mkdir -p "$folder"
    cmake -S . -B "$folder" -G Ninja "${options[@]}" >"$folder/configure.log" 2>&1 ||
        { cat "$folder/configure.log" >&2; stop "Configuring the build failed."; }
    ninja -C "$folder" "${@:2}" >"$folder/build.log" 2>&1 || { complain "$folder/build.log"; stop "The build failed."; }
}

build_all() {
    prepare build
    compile build -DDRUA_TESTS=OFF -DDRUA_WERROR=OFF
}

build_tests() { # targets; all by default
    prepare test
    keep_objects
    compile build -DDRUA_TESTS=ON -DDRUA_WERROR=ON -- "$@"
}

# Lets tests that compile a copy of the tree reuse this build's objects: ccache, if installed, records paths relative to
# this folder.
keep_objects() {
    [ -z "${CMAKE_C_COMPILER_LAUNCHER:-}" ] || return 0
    has ccache || [ "$(id -u)" -ne 0 ] || apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends \
        ccache >/dev/null 2>&1 || true
    ! has ccache || export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_DIR=$root/build/ccache CCACHE_BASEDIR=$root \
        CCACHE_NOHASHDIR=1
}

build_native() {
    is_packed || install_missing native
    compile build/native -DDRUA_JAVA=OFF -DDRUA_TESTS=OFF
}

prepare() { # purpose
    if is_packed; then
        export DRUA_JAVA=$root/build/pack/java LD_LIBRARY_PATH=$root/build/pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        return
    fi
    install_missing "$1"
    fetch_jars
    JAVA_HOME=$(jdk_home)
    export JAVA_HOME
}

# A kernel cache that the C tests fill for later suites; one process uses it at a time. Each kernel is compiled once for
# all sizes, and tests compile nothing in the background.
pool_kernels() {
    export POCL_CACHE_DIR=$root/build/tests/cache/pool POCL_WORK_GROUP_SPECIALIZATION=0 DRUA_AHEAD=0
    mkdir -p "$POCL_CACHE_DIR"
}

clean() { rm -rf build out; }
