# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs test suites and adds up their counts. The last line of each suite is 'N passed, N failed, N skipped'.

. scripts/common.sh

passed=0 failed=0 skipped=0
count() { # passed failed skipped
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

skip() { # suite, reason
    echo "== $1: skipped: $2"
    count 0 0 1
}

suite() { # name, command...
    local name=$1 log=build/tests/$1.log status=0 start=$SECONDS line p f s
    shift
    mkdir -p build/tests
    echo "== $name"
    "$@" >"$log" 2>&1 || status=$?
    line=$(grep -E '^([A-Za-z]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1 || true)
    grep -vE '^(.*: )?[0-9]+ passed, [0-9]+ failed' "$log" || true
    if [ -z "$line" ]; then
        if [ $status -eq 0 ]; then count 1 0 0; else
            echo "$name failed with exit status $status"
            count 0 1 0
        fi
        return
    fi
    echo "$name: ${line#*: } ($((SECONDS - start)) s)"
    read -r p f s <<<"$(sed -E 's/^[A-Za-z]+: //; s/ (passed|failed|skipped),?//g' <<<"$line")"
    count "$p" "$f" "${s:-0}"
    [ $((p + f + ${s:-0})) -gt 0 ] || { echo "$name ran no test"; count 0 1 0; }
    [ $status -eq 0 ] || [ "$f" -gt 0 ] || { echo "$name failed with exit status $status"; count 0 1 0; }
}

# Runs two lists of single-core suites in parallel; the second list has a separate kernel cache.
side_by_side() { # two functions
    local second p f s
    rm -rf build/tests/second.count build/tests/second-cache
    mkdir -p build/tests/second-cache
    (
        passed=0 failed=0 skipped=0
        cp -a "$POCL_CACHE_DIR/." build/tests/second-cache/
        POCL_CACHE_DIR=$root/build/tests/second-cache
        "$2"
        echo "$passed $failed $skipped" >build/tests/second.count
    ) >build/tests/second.log 2>&1 &
    second=$!
    "$1"
    # The status of wait is unreliable, because the system may have given the process id to another process.
    wait $second 2>/dev/null || true
    cat build/tests/second.log
    if [ -f build/tests/second.count ]; then
        read -r p f s <build/tests/second.count
        count "$p" "$f" "$s"
    else
        echo "the second list of suites ended early"
        count 0 1 0
    fi
}

# Prints the totals as the last line of all output; returns 1 if a test failed.
sum_up() {
    echo
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

# Runs ctest and prints its summary in the format of the other suites.
c_tests() { # build folder, ctest options...
    local folder=$1 report
    shift
    report=$(readlink -f "$folder")/ctest.xml
    rm -f "$report"
    ctest --test-dir "$folder" --parallel "$(nproc)" --output-on-failure --output-junit "$report" "$@" |
        grep -vE '^ *[0-9]+/[0-9]+ Test.*Passed|^ *Start ' || true
    sed -nE 's/.*tests="([0-9]+)"$/t \1/p; s/^.*failures="([0-9]+)"$/f \1/p; s/^.*(disabled|skipped)="([0-9]+)"$/s \2/p' "$report" |
        awk '{n[$1] += $2} END {printf "%d passed, %d failed, %d skipped\n", n["t"] - n["f"] - n["s"], n["f"], n["s"]}'
}
