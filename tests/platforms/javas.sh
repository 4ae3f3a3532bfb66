#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the demonstration in other versions of Java than the build's: javas.sh BUILD. Its tables must be equal byte for
# byte.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
work=$root/build/tests/javas
rm -rf "$work"
mkdir -p "$work"
passed=0 failed=0

verdict() { # name, exit status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

demonstrate() { # name, Java's home
    mkdir -p "$work/$1"
    DRUA_JAVA=$2 timeout 300 scripts/java.sh "$build" patched macros/segment_nuclei.ijm \
        "macros/images,$work/$1" >"$work/$1.txt" 2>&1
}

build=$1
demonstrate here "$(jdk_home)"
status=$?
verdict "the demonstration here: $(tail -n 3 "$work/here.txt")" $status
while read -r wanted; do
    name=${wanted%% *} name=${name/==/-}
    home=$(fetch_java "$tools/$name" "$wanted")
    [ -n "$home" ] || { verdict "$name could not be fetched" 1; continue; }
    demonstrate "$name" "$home"
    status=$?
    verdict "the demonstration in $name: $(tail -n 3 "$work/$name.txt")" $status
    for table in "$work"/here/*.csv; do
        cmp -s "$table" "$work/$name/$(basename "$table")"
        verdict "$(basename "$table") in $name equals that of this computer" $?
    done
done <tests/platforms/javas.txt
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
