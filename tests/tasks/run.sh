#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the programs of macros/tasks: run.sh BUILD [NAME...]. Each must end with status 0, print its lines
# "expect: LINE" in this order, perhaps between others, and write the images that its page shows. The pages of the site
# show the files in BUILD/tasks.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$(cd "$1" && pwd) || exit 2
shift
. scripts/common.sh
. scripts/tasks.sh
passed=0 failed=0 skipped=0

# Prints each fault, or nothing.
faults_of() { # program, folder
    local line text from=1 at
    [ "$(cat "$2/status.txt")" = 0 ] || { echo "fails: $(tail -n 5 "$2/errors.txt")"; return; }
    grep -qE '^(//|#) expect: ' "$1" || echo "expects nothing"
    while IFS= read -r text; do
        at=$(tail -n "+$from" "$2/printed.txt" | grep -nxF -m 1 -- "$text" | cut -d : -f 1)
        if [ -z "$at" ]; then echo "does not print: $text; it prints: $(tail -n 12 "$2/printed.txt")"; else
            from=$((from + at)); fi
    done < <(sed -nE 's/^(\/\/|#) expect: //p' "$1")
    while read -r line; do
        [ -s "$2/$line" ] || echo "does not write $line"
    done < <(sed -nE 's/^(\/\/|#) (image|labels): ([^ ]*) .*/\3/p' "$1")
}

run_tasks "$build" "$build/tasks" "$@"
for program in macros/tasks/*; do
    name=$(basename "${program%.*}")
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    if [ ! -d "$build/tasks/$name" ]; then
        skipped=$((skipped + 1))
        echo "SKIP $name: this computer lacks its compiler, NumPy or Jython"
        continue
    fi
    faults=$(faults_of "$program" "$build/tasks/$name")
    if [ -z "$faults" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $name $faults"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
