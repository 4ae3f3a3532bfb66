#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the second process that compiles kernels for the later commands of a macro on PoCL: it must record these
# commands, must not be started again for them, and must end with the macro's process. Usage: warm_up.sh BUILD
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! "$build/bin/drua" devices 2>/dev/null | grep -q 'Portable Computing Language' || [ "$(nproc)" -lt 2 ]; then
    echo "SKIP warm_up: there is no PoCL, or only one core"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
unset DRUA_AHEAD
export XDG_CACHE_HOME=$work/cache POCL_CACHE_DIR=$work/kernels
mkdir -p "$XDG_CACHE_HOME" "$POCL_CACHE_DIR"
passed=0 failed=0
check() { # condition, command...
    local what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what"
        sed 's/^/    output: /' "$work/out" | head -n 20
    fi
}

# Commands that the process must run, values that it cannot know, and things that it must not touch: files and ImageJ's
# commands.
cat >"$work/macro.ijm" <<END
run("CLIJ2 Macro Extensions", "cl_device=Portable");
newImage("image", "8-bit ramp", 64, 48, 1);
Ext.CLIJ2_push("image");
Ext.CLIJ2_gaussianBlur2D("image", blurred, 2, -0.5 + 1);
Ext.CLIJ2_threshold(blurred, mask, 1 + 1);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_maximum2DBox(labels, large, 3, 1);
Ext.CLIJ2_saveAsTIF(mask, "$work/written.tif");
if (false) Ext.CLIJ2_minimum2DBox(not_there, smallest, 1, 1);
for (i = 0; i < 600 && lines() < MANY; i++) wait(100);
print(lines());
function lines() {
    folders = getFileList("$XDG_CACHE_HOME/drua/VERSION/PLATFORM/");
    for (k = 0; k < folders.length; k++)
        if (startsWith(folders[k], "warm-"))
            return lengthOf(
                replace(File.openAsString("$XDG_CACHE_HOME/drua/VERSION/PLATFORM/" + folders[k]), "[^\n]", ""));
    return 0;
}
END
version=$(unzip -p "$build"/java/Drua_-*.jar drua.version)
platform=linux64
[ "$(uname -m)" = x86_64 ] || platform=linux-arm64
sed -i "s/VERSION/$version/g; s/PLATFORM/$platform/g; s/MANY/5/" "$work/macro.ijm"
others() { # the processes of this test have its folder of kernels
    local process
    for process in $(pgrep -f drua.engine.WarmUp); do
        ! grep -qzx "POCL_CACHE_DIR=$POCL_CACHE_DIR" "/proc/$process/environ" 2>/dev/null || return 0
    done
    return 1
}
gone() {
    for _ in $(seq 600); do others || return 0; sleep 0.1; done
    return 1
}
comes() {
    for _ in $(seq 600); do ! others || return 0; sleep 0.1; done
    return 1
}
notes() { cat "$work"/cache/drua/*/*/warm-*.txt; }

imagej "$build" stock "${short_lived[@]}" -- "$work/macro.ijm" >"$work/out" 2>&1 &
macro=$!
check "a second process compiles" comes
wait $macro
check "the macro runs" [ $? -eq 0 ]
check "five commands are noted, the later ones first: $(notes | tr '\n' ' ')" \
    [ "$(notes | tr '\n' ' ')" = \
        "CLIJ2_connectedComponentsLabelingBox CLIJ2_maximum2DBox CLIJ2_minimum2DBox CLIJ2_gaussianBlur2D \
CLIJ2_threshold " ]
check "the process ends with the macro's" gone
rm "$work"/cache/drua/*/*/warm-*.txt
imagej "$build" stock "${short_lived[@]}" -- "$work/macro.ijm" >"$work/out" 2>&1
check "where Drua was used before, the process starts with the macro" [ "$(notes | wc -l)" = 5 ]
sed -i 's/< 600/< 1/' "$work/macro.ijm"
touch "$work/before"
imagej "$build" stock "${short_lived[@]}" -- "$work/macro.ijm" >"$work/out" 2>&1
check "the macro runs again" [ $? -eq 0 ]
check "nothing is warmed up twice" [ -z "$(find "$work/cache" -name 'warm-*' -newer "$work/before")" ]
rm -f "$work"/cache/drua/*/*/warm-*.txt
DRUA_AHEAD=0 imagej "$build" stock "${short_lived[@]}" -- "$work/macro.ijm" >"$work/out" 2>&1
check "DRUA_AHEAD=0: no process, no notes" [ -z "$(find "$work/cache" -name 'warm-*')" ]
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
