# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Measures: every operation, Java's share, and the same work by other libraries.
. scripts/build.sh

peers() {
    build_native
    python3 tests/bench/peers/peers.py --library build/native/lib/libdrua.so "$@"
}

bench() { # as drua bench; all operations at full size go into a file
    case ${1:-} in
        "") measure_all "" ;;
        java) shift; bench_java "$@" ;;
        --compare)
            [ $# -eq 2 ] || stop "usage: ./dev bench --compare OLD.tsv"
            mkdir -p build
            (cd "$from" && cp "$2" "$root/build/before.tsv")          # the new table may have its name
            measure_all build/before.tsv ;;
        *)
            build_native
            build/native/bin/drua bench "$@" ;;
    esac
}

bench_java() {
    . scripts/java_tests.sh
    build_tests
    compile_java_tests
    run_headless build -Xmx6g -cp "build/java-test:$(class_path build)" "$test_package.Bench" "$@"
}

measure_all() { # an older table, or nothing
    local device file status=0
    build_native
    device=$(build/native/bin/drua devices | sed -nE "1s/^[0-9]+ +//; 1s/ \\(.*//; 1s/[^A-Za-z0-9]+/-/g; 1p")
    file=tests/bench/results/$device-$(date +%Y-%m-%d).tsv
    mkdir -p tests/bench/results
    build/native/bin/drua bench | tee "$file" || status=1          # a time that cannot be is in the table, too
    build/native/bin/drua bench plot "$file" >"${file%.tsv}.svg"
    say "written: $file and ${file%.tsv}.svg"
    [ -z "$1" ] || build/native/bin/drua bench compare "$1" "$file" || status=1
    [ $status -eq 0 ] || stop "Something is slower than before, or faster than memory allows: see above."
}
