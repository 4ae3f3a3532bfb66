#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The oldest Java that the plugin is compiled for, which Debian has in its unstable suite alone: java8.sh BUILD. That system lies in a folder
# of its own, with its own OpenCL on the processor. The demonstration's tables must be the same as here, byte for byte, and the macros of
# tests/macro/same must see the same without a display.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
build=$(cd "$1" && pwd) || exit 2
system=$tools/java8
work=$root/build/tests/java8
home=/usr/lib/jvm/java-8-openjdk-amd64/jre
skip() {
    echo "SKIP java8: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
if ! has debootstrap || ! unshare -m true 2>/dev/null; then skip "debootstrap (Debian's package) is missing, or this user may not mount folders"; fi
if [ ! -x "$system$home/bin/java" ]; then
    rm -rf "$system"
    debootstrap --variant=minbase --include=openjdk-8-jre-headless,ocl-icd-libopencl1,pocl-opencl-icd sid "$system" >"$tools/java8.txt" 2>&1 ||
        { rm -rf "$system"; tail -n 5 "$tools/java8.txt"; skip "Debian's unstable suite could not be fetched"; }
    sed -i 's/^assistive_technologies/#&/' "$system/etc/java-8-openjdk/accessibility.properties"     # a desktop's, whose classes are not there
fi
rm -rf "$work"
mkdir -p "$work/here" "$work/java8" "$work/topics" "$system$root"
for file in tests/macro/same/topics/*.ijm; do cat "$file" tests/macro/same/functions.ijm >"$work/topics/$(basename "$file")"; done

demonstrate() { scripts/java.sh "$build" patched macros/segment_nuclei.ijm "macros/images,$1" >"$1.txt" 2>&1; } # folder
look() { PATCHING=1 scripts/java.sh "$build" patched tests/macro/same/driver.ijm "$work/topics|$1|$1/seen.txt" >"$1/driver.txt" 2>&1; } # folder

# The same in that system, in which this tree has its own place.
inside() { # function, folder
    # shellcheck disable=SC2016 # for the shells inside
    unshare -m bash -c '
        system=$1 root=$2
        shift 2
        mount -t proc proc "$system/proc" && mount --rbind /sys "$system/sys" && mount --rbind /dev "$system/dev" && mount --bind "$root" "$system$root" &&
            exec chroot "$system" /usr/bin/env -i PATH="$PATH" HOME=/root "$@"' inside "$system" "$root" \
        "DRUA_JAVA=$home" "build=$build" "work=$work" bash -c "cd '$root'; $(declare -f "$1"); $1 '$2'"
}

passed=0 failed=0
verdict() { # what is wrong, exit status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

demonstrate "$work/here"
status=$?
verdict "the demonstration here: $(tail -n 3 "$work/here.txt")" $status
inside demonstrate "$work/java8"
status=$?
verdict "the demonstration in Java 8: $(tail -n 3 "$work/java8.txt")" $status
for table in "$work"/here/*.csv; do
    cmp -s "$table" "$work/java8/$(basename "$table")"
    status=$?
    verdict "$(basename "$table") is another one in Java 8" $status
done
look "$work/here"
inside look "$work/java8"
seen() { sed "s|$1||g; s/^flat: [0-9.]*/flat:/" "$1/seen.txt"; } # folder: without its name, and without the brightness of drawn lines, which each Java draws otherwise
[ -s "$work/here/seen.txt" ] && diff <(seen "$work/here") <(seen "$work/java8")
status=$?
verdict "macros see something else in Java 8: $(tail -n 3 "$work/java8/driver.txt")" $status
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
