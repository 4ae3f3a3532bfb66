#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the macros of folder published, whose authors printed their results, in one ImageJ: published.sh BUILD [NAME...].
# The macro's output and then its table must equal its .csv, to the last digit given there. Comments in a macro: "//
# input: FILE" names an image to open; "// now: N LINE" gives line N of the .csv as in CLIJ2 2.5.3.5; "// Drua: N LINE"
# gives line N where Drua differs from CLIJ2 and docs/differences.md says so.
here=$(cd "$(dirname "$0")" && pwd)
images=$here/../../../shared/images
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
[ $# -gt 0 ] && shift
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_WORK_GROUP_SPECIALIZATION=0
passed=0 failed=0 skipped=0 names=()

skip() {
    skipped=$((skipped + 1))
    echo "SKIP $1: $2"
}

fail() {
    failed=$((failed + 1))
    echo "FAIL $1"
    sed 's/^/    /'
}

# The published lines, with the lines that later releases or Drua replace.
due() { # NAME
    sed -En 's/^\/\/ (now|Drua): //p' "$here/published/$1.ijm" >"$work/now"
    awk 'FILENAME == ARGV[1] {now[$1] = substr($0, length($1) + 2); next}
        FNR in now {if (now[FNR] == $0) print "line " FNR " needs no comment"; $0 = now[FNR]}
        {print}' "$work/now" "$here/published/$1.csv"
}

# The printed lines, and the table without ImageJ's column of line numbers.
found() { # NAME
    awk -v name="$1" '/^== / {ours = $2 == name; next} ours {sub(/ +$/, ""); gsub(/ /, ","); print}' "$work/out"
    [ ! -f "$work/$1.csv" ] || sed 's/^[^,]*,//' "$work/$1.csv"
}

# Prints each cell that differs. ImageJ adds decimals to a whole number if another number of its column has some.
compare() { # DUE FOUND
    awk -F , '
        function rounded(text, like,  digits) {
            digits = index(like, ".") ? length(like) - index(like, ".") : 0
            return sprintf("%." digits "f", text)
        }
        function number(text) {return text ~ /^-?[0-9]+(\.[0-9]+)?$/}
        NR == FNR {lines[FNR] = $0; due = FNR; next}
        {
            found = FNR
            count = split(lines[FNR], cells, ",")
            if (count != NF) print "line " FNR " has " NF " cells, due are " count
            for (i = 1; i <= count; i++)
                if ($i "" != cells[i] "" && !(number($i) && number(cells[i]) && rounded($i, cells[i]) == cells[i] ""))
                    print "line " FNR ", cell " i " is " $i ", due is " cells[i]
        }
        END {if (due != found + 0) print found + 0 " lines, due are " due + 0}' "$1" "$2"
}

if ! imagej_path patched >/dev/null; then
    echo "SKIP published: a jar of ImageJ's is missing in $deps"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
for file in "$here"/published/*.ijm; do
    name=$(basename "$file" .ijm)
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    input=$(sed -n 's/^\/\/ input: //p' "$file")
    if [ -n "$input" ] && [ ! -f "$images/$input" ]; then
        skip "$name" "there is no $input in ../shared/images"
        continue
    fi
    names+=("$name")
    cat >>"$work/all.ijm" <<END
print("== $name");
runMacro("$file", "$images");
if (nResults > 0) saveAs("Results", "$work/$name.csv");
run("Clear Results");
close("*");
END
done
if [ ${#names[@]} -gt 0 ]; then
    imagej "$build" patched -Xmx512m "-Djava.io.tmpdir=$work" "-Duser.home=$work" -- "$work/all.ijm" >"$work/out" \
        2>"$work/err"
fi
for name in ${names[@]+"${names[@]}"}; do
    due "$name" >"$work/due"
    found "$name" >"$work/found"
    wrong=$(compare "$work/due" "$work/found")
    if [ -z "$wrong" ]; then passed=$((passed + 1)); else fail "$name" <<<"$wrong"; fi
done
[ $failed -eq 0 ] || sed 's/^/    stderr: /' "$work/err" | head -n 20
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
