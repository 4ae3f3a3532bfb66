#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the examples for folders and files when some of these are invalid or missing: batch.sh BUILD
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
examples=$here/../../macros/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_WORK_GROUP_SPECIALIZATION=0
passed=0 failed=0 skipped=0

run() { # host, file, argument
    imagej "$build" "$1" -Xmx512m "${short_lived[@]}" "-Djava.io.tmpdir=$work" "-Duser.home=$work" -- \
        "${@:2}" >"$work/out" 2>"$work/err"
    status=$?
}

verdict() { # name, expected exit status, texts that the output must contain in any order
    local text wrong=
    [ "$status" -eq "$2" ] || wrong="exit status $status, due is $2"
    for text in "${@:3}"; do
        grep -qE -- "$text" "$work/out" "$work/err" || wrong+="
    no line has: $text"
    done
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAIL $1: $wrong"
    sed 's/^/    output: /' "$work/out" "$work/err" | head -n 30
}

# Images of two and of three spots, and between them a file that is not an image.
mkdir -p "$work/in" "$work/good"
cat >"$work/make.ijm" <<END
newImage("first", "8-bit black", 40, 30, 1);
setColor(200);
fillOval(3, 3, 8, 8);
fillOval(20, 15, 9, 9);
saveAs("Tiff", "$work/in/first.tif");
newImage("third", "16-bit black", 40, 30, 1);
setColor(30000);
fillOval(28, 2, 8, 8);
fillOval(3, 3, 8, 8);
fillOval(20, 15, 9, 9);
saveAs("Tiff", "$work/in/third.tif");
END
run stock "$work/make.ijm"
cp "$work/in/first.tif" "$work/good"
echo "no picture" >"$work/in/second.tif"

why="\"failed: Drua_read: the file '$work/in/second.tif' is not a readable TIFF file: Not a TIFF or MDI file, bad magic"
why+=" number 28526 (0x6f6e); save it again as a TIFF\""
for host in stock patched; do
    imagej_path $host >/dev/null || { skipped=$((skipped + 4)); continue; }
    rm -rf "$work/results"
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/in,$work/results"
    verdict "one bad file of three in $host" 1 '^1 of 3: first.tif$' '^2 of 3, .* left: second.tif$' \
        '^3 of 3, .* left: third.tif$' '^2 of 3 images done in ' \
        'batch: 1 of 3 images failed: second.tif; '
    [ "$(cat "$work/results/summary.csv")" = \
        "$(printf 'image,result\nfirst.tif,2\nsecond.tif,%s\nthird.tif,3' "$why")" ] &&
        [ -f "$work/results/first_labels.tif" ] && [ -f "$work/results/third_labels.tif" ]
    status=$?
    verdict "the other images are done in $host: $(cat "$work/results/summary.csv")" 0
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/in,$work/results"
    verdict "finished images are skipped in $host" 1 '^2 of 3 images are done and have not changed since' \
        '^2 of 3: second.tif$' '^2 of 3 images done in '
    cut=$(head -c -3 "$work/results/done.txt") # as if the process was killed while it wrote the file
    printf %s "$cut" >"$work/results/done.txt"
    rm "$work/results/first_labels.tif"
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/in,$work/results"
    verdict "lost or truncated results are made again in $host" 1 '^1 of 3: first.tif$' '^3 of 3, .* left: third.tif$'
    touch "$work/in/first.tif"
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/in,$work/results"
    verdict "an image that changed is done again in $host" 1 '^1 of 3 images are done and have not changed since' \
        '^1 of 3: first.tif$'
    [ "$(cat "$work/results/summary.csv")" = "$(printf 'image,result\nfirst.tif,2\nsecond.tif,%s\nthird.tif,3' "$why")" ]
    status=$?
    verdict "the summary has all images in $host: $(cat "$work/results/summary.csv")" 0
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/good,$work/results"
    verdict "a good folder in $host" 0 '^1 of 1 images done in '
    # Errors of ImageJ itself, each with its sentence.
    while IFS='|' read -r code sentence; do
        echo "$code" >"$work/one.ijm"
        rm -rf "$work/results"
        run $host "$examples/batch.ijm" "$work/one.ijm,$work/good,$work/results"
        verdict "$code in $host" 1 '^batch: 1 of 1 images failed: first.tif; .*/summary.csv says why'
        grep -qx "first.tif,\"\?failed: $sentence\"\?" "$work/results/summary.csv"
        status=$?
        verdict "the summary after $code in $host: $(cat "$work/results/summary.csv")" 0
    done <<END
x = undefined_name + 1;|Undefined variable
exit("too dark, no nuclei");|too dark, no nuclei
return "failed: too dark";|too dark
return "failed: " + call("drua.imagej.QuietMacro.open", "$work/in/second.tif");|the image '.*second.tif' .*
selectImage("none");|.*none.*
END
    mkdir -p "$work/odd"
    cp "$work/in/first.tif" "$work/odd/a, \"b\" \$(touch ran).tif"
    cp "$work/in/first.tif" "$work/odd/=1+1.tif"
    rm -rf "$work/results"
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/odd,$work/results"
    verdict "names of all kinds in $host" 0 '^2 of 2 images done in '
    [ "$(cat "$work/results/summary.csv")" = "$(printf 'image,result\n=1+1.tif,2\n"a, ""b"" $(touch ran).tif",2')" ] &&
        [ -f "$work/results/a, \"b\" \$(touch ran)_labels.tif" ] && [ ! -e ran ]
    status=$?
    verdict "the summary has their names in $host: $(cat "$work/results/summary.csv")" 0
    cp "$work/in/first.tif" "$work/odd/=1+1.TIFF"
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/odd,$work/results"
    verdict "two images with the same results in $host" 1 \
        'has two images called =1[+]1 whose results would be the same files'
    rm -r "$work/odd"
    run $host "$examples/batch.ijm" "$examples/one_image.ijm,$work/nowhere,$work/results"
    verdict "a missing folder in $host" 1 "batch: there is no folder $work/nowhere"
done
run stock "$examples/../segment_nuclei.ijm" "$work/nowhere"
verdict "the demonstration without its folder" 1 "there is no folder $work/nowhere"

if imagej_path jython >/dev/null; then
    run jython "$examples/segment.py" "$work/in/third.tif"
    verdict "a 16-bit image in Jython" 0 '^bright part: 0\.1[0-9]*$'
    run jython "$examples/segment.py" "$work/nowhere.tif"
    verdict "a missing file in Jython" 1 "^there is no file $work/nowhere.tif"
    run jython "$examples/segment.py" "$work/in/second.tif"
    verdict "a bad file in Jython" 1 "^ImageJ cannot open $work/in/second.tif"
    run jython "$examples/deconvolve.py" "$work/in/first.tif" "$work/nowhere.tif"
    verdict "a missing point spread function in Jython" 1 "^there is no file $work/nowhere.tif"
else
    skipped=$((skipped + 4))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
