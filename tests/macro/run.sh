#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs every macro of this folder in stock ImageJ and in ImageJ patched as in Fiji: run.sh BUILD [NAME...]. Comments in
# a macro state the expected result:
#   // expect: LINE         a line that the macro prints; all such lines in order
#   // error: TEXT          a part of the message with which the macro must end
#   // results: LINE        a line of the results.csv that --out saves
#   // saved: NAME          a file that --out saves too
#   // stderr: TEXT         a part of stderr
#   // options: ARGUMENTS   more arguments of the command line
#   // only: patched        the macro needs commands that stock ImageJ lacks without a display
#   // only: stock          the macro runs in stock ImageJ only
#   // only: imagej2        the Groovy script needs ImageJ2
#   // only: scijava        the Groovy script needs SciJava and its commands
# Macros that need a display are in folder window; see window.sh. Scripts run the same way in Jython (.py) and Groovy
# (.groovy), and so do those of macros/examples, on images made here. Stock ImageJ runs in a locale that writes 1,5
# where one can be created. With DRUA_TURNS=n, every n-th macro runs; the next DRUA_SEED selects others. With
# DRUA_SAMPLE=2, each macro runs in one of the two ImageJs. The jars of ImageJ, ij1-patcher, javassist,
# jython-standalone, groovy and JOCL are in $DRUA_DEPS, or else in .deps. ImageJ2 is the jar in the Python package
# prokaryote, which is in the same folder if you put it there.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
[ $# -gt 0 ] && shift
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_WORK_GROUP_SPECIALIZATION=0
passed=0 failed=0 skipped=0 number=${DRUA_SEED:-0}
language=()
if command -v localedef >/dev/null; then
    localedef -c -i "$here/../support/comma.locale" -f ANSI_X3.4-1968 "$work/comma" >/dev/null 2>&1
    [ -d "$work/comma" ] && language=("LOCPATH=$work" LC_NUMERIC=comma)
fi

# run HOST FILE [ARGUMENT...]: output in $work/out and $work/err.
run() {
    local host=$1
    shift
    (
        if [ "$host" = stock ] && [ ${#language[@]} -gt 0 ]; then
            unset LC_ALL
            export "${language[@]}"
        fi
        imagej "$build" "$host" -Xmx512m -Xcheck:jni "${short_lived[@]}" -Dfile.encoding=UTF-8 \
            -Djava.io.tmpdir="$work" -Duser.home="$work" -- "$@"
    ) >"$work/out" 2>"$work/err"
}

# check FILE STATUS prints each error, or nothing.
check() {
    more=$here/$(basename "$1" .py).expect
    [ -f "$more" ] || more=/dev/null
    sed -n 's/^\(#\|\/\/\) expect: \{0,1\}//p' "$1" "$more" >"$work/due"
    sed -n 's/^\/\/ error: //p' "$1" >"$work/errors"
    if [ -s "$work/errors" ]; then
        [ "$2" -eq 1 ] || echo "exit status $2, due is 1"
        while IFS= read -r text; do
            grep -qF -- "$text" "$work/err" || echo "stderr lacks: $text"
        done <"$work/errors"
    else
        [ "$2" -eq 0 ] || echo "exit status $2, due is 0"
    fi
    grep -v '^WARNING' "$work/out" >"$work/printed"
    cmp -s "$work/printed" "$work/due" || diff "$work/due" "$work/printed"
    sed -n 's/^\/\/ results: //p' "$1" >"$work/rows"
    [ ! -s "$work/rows" ] || cmp -s "$work/rows" "$work/saved/results.csv" ||
        diff "$work/rows" "$work/saved/results.csv"
    sed -n 's/^\/\/ saved: //p' "$1" | while IFS= read -r name; do
        [ -f "$work/saved/$name" ] || echo "not saved: $name"
    done
    sed -n 's/^\/\/ stderr: //p' "$1" | while IFS= read -r text; do
        grep -qF -- "$text" "$work/err" || echo "stderr lacks: $text"
    done
    grep -h 'HeadlessException\|in native method\|FATAL ERROR\|^[[:blank:]]at [a-z]' "$work/out" "$work/err"
}

# judge NAME HOST FILE STATUS
judge() {
    wrong=$(check "$3" "$4")
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAIL $1 in $2"
    echo "$wrong" | sed 's/^/    /'
    sed 's/^/    stderr: /' "$work/err" | head -n 20
}

for file in "$here"/*.ijm "$here"/*.py "$here"/*.groovy "$here"/../../macros/examples/count_foci.ijm \
    "$here"/../../macros/examples/segment.py "$here"/../../macros/examples/deconvolve.py; do
    name=$(basename "$file" | sed 's/\.[a-z]*$//')
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    case $file in
    *.py) hosts=jython ;;
    *.groovy) hosts=groovy ;;
    *) hosts="stock patched" ;;
    esac
    number=$((number + 1))
    [ $# -gt 0 ] || [ $((number % ${DRUA_TURNS:-1})) -eq 0 ] || continue
    if [ "$hosts" = "stock patched" ] && [ "${DRUA_SAMPLE:-1}" = 2 ]; then
        if [ $((number / ${DRUA_TURNS:-1} % 2)) -eq 0 ]; then hosts=stock; else hosts=patched; fi
    fi
    only=$(sed -n 's/^\/\/ only: //p' "$file")
    hosts=${only:-$hosts}
    for host in $hosts; do
        if ! imagej_path $host >/dev/null; then
            skipped=$((skipped + 1))
            echo "SKIP $name in $host: a jar of it is missing in $deps"
            continue
        fi
        picture=
        if [ "$name" = segment ]; then
            echo 'newImage("picture", "8-bit ramp", 256, 16, 1);' >"$work/picture.ijm"
            run stock "$work/picture.ijm" --out "$work" || cat "$work/err"
            picture=$work/picture.tif
        fi
        if [ "$name" = deconvolve ]; then
            for part in image psf; do
                size=$([ $part = image ] && echo 32 || echo 9)
                echo "newImage(\"$part\", \"32-bit black\", $size, $size, 8);" \
                    "setSlice(5); setColor(1000); fillRect($size / 2, $size / 2, 1, 1);" \
                    >"$work/$part.ijm"
                run stock "$work/$part.ijm" --out "$work" || cat "$work/err"
            done
            picture="$work/image.tif $work/psf.tif"
        fi
        save=
        rm -rf "$work/saved"
        if grep -q '^// \(results\|saved\): ' "$file"; then save="--out $work/saved"; fi
        # shellcheck disable=SC2046
        run $host "$file" $picture $save $(sed -n 's/^\/\/ options: //p' "$file")
        judge "$name" $host "$file" $?
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
