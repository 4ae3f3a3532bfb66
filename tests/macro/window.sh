#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the macros and programs of folder window in ImageJ with windows, on private displays with a window manager:
# window.sh BUILD [NAME...]. A program (NameTest.java, see Person.java) passes if its exit status is 0, and is skipped
# if it is 77. Comments in a macro state the expected result as for run.sh, and:
#   // dialog: TEXT      a part of the window with which the macro must end
#   // recorded: LINE    a line of the Recorder
#   // image: TITLE, brightest at X, Y, ...   an image with the brightest pixel of each slice
#   // drag: TITLE, X, Y                      drags the mouse by X, Y in that window
#   // tick: LABEL       ticks that box of the first dialog and presses OK
#   // preview: TEXT     the preview then shown on the image or in a window
#   // estimate: TEXT    a part of the dialog's estimate of time and memory
# With DRUA_TURNS=n, every n-th test runs; the next DRUA_SEED selects others. With DRUA_PICTURES=FOLDER, a picture of
# each screen is saved there (needs ImageMagick).
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
command -v xvfb-run >/dev/null && command -v xauth >/dev/null ||
    skip "xvfb-run or xauth is missing (Debian packages xvfb and xauth)"
command -v openbox >/dev/null || skip "openbox is missing (Debian package openbox)"
[ -n "$ij" ] || skip "ij.jar is missing in $deps"
java_has_windows || skip "this Java has no windows (Debian package default-jre)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_WORK_GROUP_SPECIALIZATION=0
mkdir -p "$work/plugins" "$work/classes"
cp "$build"/java/Drua*_-*.jar "$work/plugins"
path=$(plugin_path "$build"):$ij:$(jar_in "$deps" 'groovy-[0-9]*.jar')
compile_java -d "$work/classes" -cp "$path" "$here"/window/*.java || exit 1
java=()
java_command
screen=1280x900 scale=1

# With a window manager, as on a desktop: run CLASS [ARGUMENT...]; output goes to $work/out and $work/err.
run() {
    rm -rf "${work:?}/home"
    mkdir -p "$work/home"
    # shellcheck disable=SC2016 # for the shell inside
    HOME=$work/home timeout 1500 xvfb-run -a -s "-screen 0 ${screen}x24" bash -c '
        openbox --startup "touch $1/ready" >/dev/null 2>&1 &
        manager=$!
        for ((i = 0; i < 600; i++)); do # a Java that starts before its window manager misplaces windows
            [ -e "$1/ready" ] && break
            sleep 0.05
        done
        shift
        "$@"
        status=$?
        kill $manager
        exit $status' run "$work/home" "${java[@]}" -Xmx512m "${short_lived[@]}" -Dfile.encoding=UTF-8 \
        "-Djava.io.tmpdir=$work" "-Duser.home=$work/home" "-Dplugins.dir=$work" \
        "-Dsun.java2d.uiScale=$scale" "-Ddrua.library=$build/lib/libdrua.so" \
        "-Ddrua.images=$here/../../macros/images" -cp "$work/classes:$path" "$@" >"$work/out" 2>"$work/err"
}

# Prints the errors after a macro, or nothing.
check() { # file, exit status
    sed -n 's/^\/\/ expect: \{0,1\}//p' "$1" >"$work/due"
    [ "$2" -eq 0 ] || echo "exit status $2"
    sed -n 's/^Log: //p' "$work/out" | cmp -s "$work/due" - || sed -n 's/^Log: //p' "$work/out" | diff "$work/due" -
    for kind in dialog image preview estimate recorded; do
        sed -n "s/^\/\/ $kind: //p" "$1" | while IFS= read -r text; do
            grep "^$kind: " "$work/out" | grep -qF -- "$text" || echo "no $kind: $text"
        done
    done
    grep -q '^// dialog: ' "$1" || grep '^dialog: ' "$work/out"
    grep -h 'in native method\|FATAL ERROR\|Exception' "$work/out" "$work/err"
}

passed=0 failed=0 skipped=0 number=${DRUA_SEED:-0}
judge() { # name, error
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAIL $1 in a window"
    echo "$2" | sed 's/^/    /'
    sed 's/^/    output: /' "$work/out" "$work/err" | head -n 60
}

for file in "$here"/window/*.ijm "$here"/window/*Test.java; do
    name=$(basename "${file%.*}")
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    number=$((number + 1))
    [ $# -gt 0 ] || [ $((number % ${DRUA_TURNS:-1})) -eq 0 ] || continue
    if [[ $file == *.ijm ]]; then
        run Window "$file" ${DRUA_PICTURES:+"$DRUA_PICTURES/$name.png"}
        judge "$name" "$(check "$file" $?)"
    else
        screens=1280x900
        case $name in
            ScreenTest) screens="1280x720 1280x800 1366x768 1920x1080" ;;
            FirstHoursTest) screens="1280x720 1366x768 1920x1080 2560x1440@2" ;;
        esac
        for screen in $screens; do
            scale=1 # or 2 for a screen such as 2560x1440@2
            [[ $screen != *@* ]] || scale=${screen#*@}
            screen=${screen%@*}
            if [ "$name" = NoDeviceTest ]; then
                OCL_ICD_VENDORS=$work/none run "$name"
            else
                run "$name"
            fi
            status=$?
            if [ $status -eq 77 ]; then
                skipped=$((skipped + 1))
                echo "SKIP $name: $(sed -n 's/^SKIP //p' "$work/out")"
                continue
            fi
            judge "$name" "$([ $status -eq 0 ] || echo "exit status $status on a screen of $screen, scaled by $scale")"
        done
        screen=1280x900 scale=1
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
