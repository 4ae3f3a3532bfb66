# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Sourced by the tests of the command line, whose first argument is the program: changes to a temporary folder that is
# deleted at the end.
set -e
# shellcheck disable=SC2034 # for the tests
drua=$(readlink -f "$1")
folder=$(mktemp -d)
left_out=
trap 'clean_up $?' EXIT
cd "$folder"

# CTest reports the exit status 77 as skipped.
clean_up() { # exit status
    rm -rf "$folder"
    if [ "$1" = 0 ] && [ "$left_out" ]; then exit 77; fi
}

fail() {
    echo "$*" >&2
    exit 1
}

# Reports a part of the test that this computer cannot run. The test continues, and ends as skipped if all else passes.
leave_out() { # part and reason
    echo "left out: $*"
    left_out=yes
}

# Ends the test as skipped.
skip() { # reason
    leave_out "$@"
    exit 0
}

# Lists an image's files with their checksums.
sums() {
    (cd "$1" && find . -type f | sort | xargs cksum)
}

# Runs a shared plan in several processes, then in one, and finishes it.
run_and_finish_shared() { # plan, processes
    part=0
    while [ $part -lt "$2" ]; do
        "$drua" run "$1" --array $part/"$2" 2>log.$part &
        part=$((part + 1))
    done
    wait
    "$drua" run "$1" 2>log || fail "shared run: $(cat log)"
    "$drua" finish "$1" 2>log || fail "shared finish: $(cat log)"
}

# Kills `drua process` after each pause, and resumes it at last. A fast computer may finish before the last pauses.
kill_and_resume() { # pauses, arguments of process
    pauses=$1
    shift
    for pause in $pauses; do
        "$drua" process "$@" >said 2>log &
        sleep "$pause"
        kill -9 $! 2>/dev/null || true
        if wait $! 2>/dev/null; then
            return
        fi
    done
    "$drua" process "$@" >said 2>log || fail "resumed: $(cat log)"
}

# Counts complete records of finished blocks: 40 bytes each after a header of 72.
records() { # plan
    for file in "$1".journal/*.blocks; do wc -c <"$file"; done | awk '{n += int(($1 - 72) / 40)} END {print n}'
}
