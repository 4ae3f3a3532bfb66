# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Benchmarks of every operation, of Java's overhead, and of other libraries.
. scripts/build.sh

native=build/native
! is_packed || native=build

peers() {
    build_native
    python3 tests/bench/peers/peers.py --library "$native/lib/libdrua.so" "$@"
}

bench() { # arguments of drua-bench; without arguments, measures all operations at full size and writes a file
    case ${1:-} in
        "") measure_all "" ;;
        java) shift; bench_java "$@" ;;
        first) bench_first ;;
        workbench) shift; bench_workbench "$@" ;;
        imagej) shift; bench_imagej "$@" ;;
        pipelines) shift; bench_pipelines "$@" ;;
        --compare)
            [ $# -eq 2 ] || stop "usage: ./dev bench --compare OLD.tsv"
            mkdir -p build
            (cd "$from" && cp "$2" "$root/build/before.tsv")          # the new table may have the same name
            measure_all build/before.tsv ;;
        *)
            build_native
            DRUA_OPTIMIZE=now "$native"/bin/drua-bench "$@" ;;
    esac
}

bench_java() {
    . scripts/java_tests.sh
    build_tests
    compile_java_tests
    run_headless build -Xmx6g -cp "build/java-test:$(class_path build)" "$test_package.Bench" "$@"
}

# Measures the time from a changed value in the workbench to the pixels of the last of eight steps; writes a table.
bench_workbench() { # sizes as WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH; all three by default
    local file
    . scripts/java_tests.sh
    build_all
    compile_java_tests
    file=$(result_file build/bin/drua)-workbench.tsv
    run_headless build -Xmx6g -cp "build/java-test:$(class_path build)" "$test_package.WorkbenchBench" "$@" |
        tee "$file"
    say "written: $file"
}

# Measures the demonstration's five commands on one image of nuclei, with an empty cache and again; wall-clock and
# processor seconds.
bench_first() {
    build_all
    local work image
    work=$(mktemp -d)
    image=$(find macros/images -name '*.tif' | sort | sed -n 1p)
    mkdir -p "$work/images"
    cp "$image" "$work/images"
    printf 'print("started");\n' >"$work/start.ijm"
    printf 'what\tseconds\tprocessor seconds\n'
    for what in "Java and ImageJ" "first" "second" "third"; do
        (
            export CUDA_CACHE_PATH=$work/cache/nv POCL_CACHE_DIR=$work/cache XDG_CACHE_HOME=$work/cache \
                TIMEFORMAT="$what"$'\t%R\t%U'
            mkdir -p "$work/cache"
            if [ "$what" = "Java and ImageJ" ]; then set -- "$work/start.ijm"; else set -- macros/segment_nuclei.ijm \
                "$work/images"; fi
            time imagej build patched "${short_lived[@]}" -- "$@" >"$work/output.txt" 2>&1 ||
                { cat "$work/output.txt" >&2; exit 1; }
        ) || stop "The macro failed."
    done
    rm -rf "$work"
}

# Compares ImageJ's commands with Drua's operations. Each row of the table runs in a new process, which alternates
# between both. Kernels are compiled before they are launched, as in measure_all.
bench_imagej() { # part of a command's name, part of a picture's name; all by default
    local work pictures theirs ours remark picture text device java status=0 folder=build/bench
    build_all
    mkdir -p $folder
    device=$(build/bin/drua devices | sed -n '1s/^[0-9]* *//p')
    java=$("${DRUA_JAVA:-$(jdk_home)}/bin/java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')
    printf '# device: %s; ImageJ on %s cores, Java %s\n# date: %s\n' "$device" "$(nproc)" "$java" "$(date +%Y-%m-%d)"
    printf '# method: medians of 7 after 2, of 3 after 1 where ImageJ takes more than 1.5 s; images are in memory and kernels compiled\n'
    printf 'work\tsize\tpicture\timagej_ms\tdrua_ms\tpush_pull_ms\tratio\tratio_push_pull\tlargest_difference\tpixels_that_differ\tremark\n'
    while IFS=$'\t' read -r work pictures theirs ours remark; do
        [[ $work == *"${1:-}"* ]] || continue
        for picture in $pictures; do
            [[ $picture == *"${2:-}"* ]] || continue
            text=$(cat tests/bench/imagej.ijm)
            text=${text//TASK/"$work"} text=${text//PICTURE/"$picture"} text=${text//IMAGEJ/"$theirs"} \
                text=${text//DRUA/"$ours"}
            printf '%s\n' "${text//REMARK/"$remark"}" >$folder/imagej.ijm
            DRUA_CHAINS=compile DRUA_OPTIMIZE=now imagej build patched -Xmx6g -- $folder/imagej.ijm \
                2>$folder/imagej.log </dev/null ||
                { printf '%s\t\t%s\tfailed\n' "$work" "$picture"; sed 's/^/# /' $folder/imagej.log; status=1; }
        done
    done < <(sed 1d tests/bench/imagej.tsv)
    [ $status -eq 0 ] || stop "A benchmark failed: see above."
}

# Measures whole pipelines, from pixels in ImageJ to tables in ImageJ. Compares their time with the time of the
# transfers or with the time to read and write the images of all steps, whichever is longer.
bench_pipelines() { # parts of a pipeline's name and size; by default all, written to a table
    local file=/dev/null
    build_all
    [ $# -gt 0 ] || file=$(result_file build/bin/drua)-pipelines.tsv
    time_pipelines "$*" | tee "$file"
    [ $# -gt 0 ] || say "written: $file"
}

time_pipelines() { # parts
    local device rate
    build/bin/drua check >build/check.txt
    device=$(build/bin/drua devices | sed -n '1s/^[0-9]* *//p')
    rate=$(sed -n 's/^ *copies in its memory \([0-9.]*\) GB.*/\1/p' build/check.txt | sed -n 1p)
    printf '# device: %s, copies at %s GB/s\n# date: %s\n' "$device" "$rate" "$(date +%Y-%m-%d)"
    printf '# method: medians of 7 after 2; kernels compiled; floor: images of all steps, read and written once each, at that rate\n'
    DRUA_CHAINS=compile DRUA_OPTIMIZE=now imagej build patched -Xmx6g -- tests/bench/pipelines/pipelines.ijm "$1" |
        awk -F '\t' -v rate="$rate" -v OFS='\t' '
            NF < 6 {print "# " $0; next}
            $1 == "pipeline" {print $1, $2, $3, $4, "floor_ms", "ratio", $6; next}
            {floor = $5 / rate; print $1, $2, $3, $4, sprintf("%.2f", floor), sprintf("%.2f", $3 / ($4 > floor ? $4 : floor)), $6; fflush()}'
}

# The path of today's tables for the first device, without the rest of their names.
result_file() { # the program drua
    local device
    device=$("$1" devices | sed -nE "1s/^[0-9]+ +//; 1s/ \\(.*//; 1s/[^A-Za-z0-9]+/-/g; 1p")
    mkdir -p tests/bench/results
    printf '%s' "tests/bench/results/$device-$(date +%Y-%m-%d)"
}

# Compiles each kernel before its first launch, on GPUs too, so that no fallback kernel is measured.
measure_all() { # an older table, optional
    local file status=0
    local -x DRUA_OPTIMIZE=now DRUA_CHAINS=compile
    build_native
    file=$(result_file "$native"/bin/drua).tsv
    "$native"/bin/drua-bench | tee "$file" || status=1          # fails if a time is impossible; the table is complete
    "$native"/bin/drua-bench plot "$file" >"${file%.tsv}.svg"
    say "written: $file and ${file%.tsv}.svg"
    [ -z "$1" ] || "$native"/bin/drua-bench compare "$1" "$file" || status=1
    [ $status -eq 0 ] || stop "Something is slower than before, or faster than memory allows: see above."
}
