#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the macros of folder window in ImageJ with its windows, on a display of its own: window.sh BUILD [NAME...]
# A macro says in comments what is due, as for run.sh; "// dialog: TEXT" is part of the window with which it must end,
# "// recorded: LINE" a line that the Recorder must hold, "// image: TITLE, brightest at X, Y, ..." an image with the brightest
# pixel of each slice; "// drag: TITLE, X, Y" moves the mouse so far in that window; "// tick: LABEL" ticks that box of the first dialog and presses OK; "// preview: TEXT" is what lies on the
# image then, or its preview's window, "// estimate: TEXT" a part of what the dialog says of time and memory. With
# DRUA_PICTURES=FOLDER a picture of each screen is kept there (needs ImageMagick).
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
[ $# -gt 0 ] && shift
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
ij=$(imagej_path stock)
skip() {
    echo "SKIP window: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
command -v xvfb-run >/dev/null && command -v xauth >/dev/null || skip "xvfb-run or xauth is missing (Debian packages xvfb and xauth)"
[ -n "$ij" ] || skip "ij.jar is missing in $deps"
[ -f "$(jdk_home)/lib/libawt_xawt.so" ] || skip "this Java has no windows (Debian package default-jre)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_WORK_GROUP_SPECIALIZATION=0
mkdir -p "$work/plugins" "$work/classes"
cp "$build"/java/Drua*_-*.jar "$work/plugins"
compile_java -d "$work/classes" -cp "$ij" "$here/window/Window.java" || exit 1
java=()
java_command
passed=0 failed=0
for file in "$here"/window/*.ijm; do
    name=$(basename "$file" .ijm)
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    timeout 120 xvfb-run -a -s "-screen 0 1280x900x24" "${java[@]}" -Xmx512m \
        -Dfile.encoding=UTF-8 -Djava.io.tmpdir="$work" -Duser.home="$work" -Dplugins.dir="$work" \
        -Ddrua.library="$build/lib/libdrua.so" -cp "$work/classes:$ij" Window "$file" ${DRUA_PICTURES:+"$DRUA_PICTURES/$name.png"} \
        >"$work/out" 2>"$work/err"
    status=$?
    sed -n 's/^\/\/ expect: \{0,1\}//p' "$file" >"$work/due"
    wrong=$(
        [ $status -eq 0 ] || echo "exit status $status"
        sed -n 's/^Log: //p' "$work/out" | cmp -s "$work/due" - || sed -n 's/^Log: //p' "$work/out" | diff "$work/due" -
        for kind in dialog image preview estimate recorded; do
            sed -n "s/^\/\/ $kind: //p" "$file" | while IFS= read -r text; do
                grep "^$kind: " "$work/out" | grep -qF -- "$text" || echo "no $kind: $text"
            done
        done
        grep -q '^// dialog: ' "$file" || grep '^dialog: ' "$work/out"
        grep -h 'in native method\|FATAL ERROR\|Exception' "$work/out" "$work/err"
    )
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name in a window"
        echo "$wrong" | sed 's/^/    /'
        sed 's/^/    output: /' "$work/out" "$work/err" | head -n 40
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
