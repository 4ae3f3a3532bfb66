#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the oldest Java that the plugin supports, which only Debian's unstable suite contains: java8.sh BUILD. That
# system is in a separate folder, with its own OpenCL for the CPU. The demonstration's tables must equal the
# host's byte for byte. Macros must see the same without a display as with windows, and some windows are tested by
# simulated users.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
build=$(cd "$1" && pwd) || exit 2
system=$tools/java8
work=$root/build/tests/java8
home=/usr/lib/jvm/java-8-openjdk-amd64
skip() {
    echo "SKIP java8: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
if ! has debootstrap || ! unshare -m true 2>/dev/null; then skip \
    "debootstrap (Debian's package) is missing, or this user may not mount folders"; fi

# Runs a command in that system, where this source tree is mounted.
inside() { # command...
    # shellcheck disable=SC2016 # for the shell inside
    unshare -m bash -c '
        system=$1 root=$2
        shift 2
        mount -t proc proc "$system/proc" && mount --rbind /sys "$system/sys" && mount --rbind /dev "$system/dev" &&
            mount --bind "$root" "$system$root" &&
            exec chroot "$system" /usr/bin/env -i -C "$root" "$@"' inside "$system" "$root" \
        DEBIAN_FRONTEND=noninteractive "PATH=$PATH" HOME=/root "JAVA_HOME=$home" "$@"
}

make_system() {
    rm -rf "$system"
    debootstrap --variant=minbase sid "$system" && mkdir -p "$system$root" &&
        inside apt-get install -y --no-install-recommends openjdk-8-jdk ocl-icd-libopencl1 pocl-opencl-icd openbox \
        xvfb xauth procps libjansson4 libexpat1 libblosc1 libtiff6 &&
        # a desktop sets this option; the classes are missing here
        sed -i 's/^assistive_technologies/#&/' "$system/etc/java-8-openjdk/accessibility.properties"
}

demonstrate() { # folder, a command that runs another
    local folder=$1
    shift
    mkdir -p "$folder"
    "$@" scripts/java.sh "$build" patched macros/segment_nuclei.ijm "macros/images,$folder" >"$folder/said.txt" 2>&1
}

passed=0 failed=0
verdict() { # error, exit status, output
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1"
        [ -z "${3:-}" ] || tail -n 20 "$3"
    fi
}

if [ ! -x "$system$home/bin/java" ]; then
    mkdir -p "$tools"
    make_system >"$tools/java8.txt" 2>&1 ||
        { tail -n 5 "$tools/java8.txt"; rm -rf "$system"; skip "Debian's unstable suite could not be fetched"; }
fi
rm -rf "$work"
demonstrate "$work/here"
verdict "the demonstration here" $? "$work/here/said.txt"
demonstrate "$work/java8" inside
verdict "the demonstration in Java 8" $? "$work/java8/said.txt"
for table in "$work"/here/*.csv; do
    name=$(basename "$table")
    cmp -s "$table" "$work/java8/$name"
    verdict "$name in Java 8 equals that of this computer" $?
done
for windows in "same.sh $build" "window.sh $build print WelcomeTest WorkbenchTest PreviewTest"; do
    # shellcheck disable=SC2086 # words
    inside tests/macro/$windows >"$work/said.txt" 2>&1 && grep -q ' failed, 0 skipped$' "$work/said.txt"
    verdict "$windows in Java 8, nothing skipped" $? "$work/said.txt"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
