# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Coverage-guided fuzzing with libFuzzer and the address and undefined-behaviour sanitizers. Each target runs for the
# given minutes on every core.
. scripts/build.sh

fuzz() { # minutes, targets...
    local minutes=${1:-1} targets=${*:2} target
    [[ $minutes =~ ^[1-9][0-9]*$ ]] || stop "usage: ./dev fuzz [MINUTES] [TARGETS]; the targets are $(fuzz_targets)"
    has clang-14 || stop "Fuzzing needs clang and its runtime: apt-get install clang-14 libclang-rt-14-dev"
    install_missing test
    CC=clang-14 compile build/fuzz -DDRUA_JAVA=OFF -DDRUA_SANITIZE=ON -DDRUA_FUZZ=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 DRUA_TUNE=off POCL_WORK_GROUP_SPECIALIZATION=0
    for target in ${targets:-$(fuzz_targets)}; do
        mkdir -p "build/fuzz/found/$target" "build/fuzz/new/$target"
        say "fuzz_$target for $minutes minutes"
        POCL_CACHE_DIR=$root/build/fuzz/kernels build/fuzz/tests/"fuzz_$target" -max_total_time=$((minutes * 60)) \
            -rss_limit_mb=4096 -timeout=60 -detect_leaks=0 -print_final_stats=1 \
            -artifact_prefix="$root/build/fuzz/found/$target/" -dict=tests/fuzz/words.dict \
                "$root/build/fuzz/new/$target" "$root/tests/fuzz/corpus/$target" ||
            stop "fuzz_$target found a failure; run it on the input in build/fuzz/found/$target to reproduce it."
    done
}

fuzz_targets() { find tests/fuzz/corpus -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort | tr '\n' ' '; }
