#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the build for Linux on arm64 under qemu-user, with Debian's PoCL for arm64 in a folder: arm64.sh BUILD, a build
# with DRUA_PLATFORM_TESTS. It pushes, blurs and pulls. Compiling kernels is slow under emulation.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
build=$(readlink -f "$1")
work=$root/build/tests/arm64 here=$tools/arm64
system=$here/root
passed=0 failed=0

verdict() { # name, exit status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

# Unpacks Debian's packages for arm64 and their dependencies; the host system stays unchanged.
lay_system() {
    local package apt=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64
        -o "Dir::State=$here/state" -o "Dir::State::status=$here/status"
        -o "Dir::Cache=$here/cache" -o APT::Sandbox::User=root)
    [ ! -f "$here/ready" ] || return 0
    rm -rf "$here"
    mkdir -p "$here/state/lists/partial" "$here/cache/archives/partial" "$system"
    touch "$here/status"
    apt-get "${apt[@]}" update -q >&2 &&
        apt-get "${apt[@]}" install -y -q --no-install-recommends --download-only pocl-opencl-icd ocl-icd-libopencl1 \
        libc6-dev libgcc-12-dev >&2 || return 1
    for package in "$here"/cache/archives/*.deb; do dpkg-deb -x "$package" "$system" || return 1; done
    touch "$here/ready"
}

lay_system || { echo "Debian's packages for arm64 could not be fetched"; exit 1; }
rm -rf "$work"
mkdir -p "$work/bin" "$work/cache"
# PoCL links kernels with the first `ld` on the path, and refers to folders of another system.
libraries=$system/usr/lib/aarch64-linux-gnu
{
    printf '#!/bin/sh\nunset LD_LIBRARY_PATH\n'
    printf 'exec %s "--sysroot=%s" "-L%s/usr/lib/gcc/aarch64-linux-gnu/12" "$@" "-L%s"\n' \
        "$(command -v aarch64-linux-gnu-ld)" "$system" "$system" "$libraries"
} >"$work/bin/ld"
chmod +x "$work/bin/ld"
export QEMU_LD_PREFIX=$system OCL_ICD_VENDORS=$system/etc/OpenCL/vendors POCL_CACHE_DIR=$work/cache \
    POCL_WORK_GROUP_SPECIALIZATION=0 DRUA_AHEAD=0 DRUA_CACHE=off

there() { # seconds, program, arguments...; PoCL finds its files relative to the path under which it was loaded
    local most=$1
    shift
    PATH=$work/bin:$PATH timeout "$most" qemu-aarch64-static -E "LD_LIBRARY_PATH=$libraries:$libraries/pocl" "$@"
}

there 300 "$build/tests/platforms/ends" 0 >"$work/ends.txt" 2>&1
status=$?
verdict "an image is blurred: $(tail -n 2 "$work/ends.txt")" $status
there 60 "$build/bin/drua" describe >"$work/describe.txt" 2>&1
cmp -s "$work/describe.txt" <(build/bin/drua describe)
verdict "drua describe prints the same as on this computer" $?
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
