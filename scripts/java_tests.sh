# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests written in Java, and JSON cases. Needs suite.sh for counting.
. scripts/reference.sh

java_test_path() { printf '%s' "build/java-test:$(class_path build):$(clij2_path build)"; }

compile_java_tests() {
    ! is_packed || return 0
    mkdir -p build/java-test
    compile_java -d build/java-test -cp "$(java_test_path):build/java/made/stubs" -Xlint:all,-options \
        java/test/*.java "${reference[@]}"
}

examples() {
    rm -rf build/reference      # pictures of another sample may remain there
    run_headless build -cp "$(java_test_path)" "$test_package.Examples" "$example_picture" build/reference &&
        pages build build/reference
}

site_pages() {
    rm -rf build/site-sources   # pictures of another sample may remain there
    run_headless build -cp "$(java_test_path)" "$test_package.SitePages" build/reference build/tasks build/site-sources
}

# Compares the pictures of docs/deconvolution.md and docs/esrrf.md with those of the demonstrations.
demonstration_pictures() { # folder
    mkdir -p "$1"
    imagej build patched -- macros/deconvolve_bars.ijm "$PWD/$1" &&
        imagej build patched -- macros/esrrf.ijm "$PWD/$1" &&
        run_headless build -cp "$(java_test_path)" "$test_package.DemonstrationPictures" "$1"
}

cases() { # folder
    [ $# -eq 1 ] || stop "usage: ./dev cases FOLDER"
    local folder
    folder=$(cd "$from" && readlink -f "$1")
    build_all
    pool_kernels
    compile_java_tests
    run_cases "$folder"
}

# folder
run_cases() { run_headless build "${short_lived[@]}" -cp "$(java_test_path)" "$test_package.Cases" "$1" tests/golden; }

java_tests() {
    local file name
    for file in java/test/*Test.java; do
        [ -e "$file" ] || continue
        name=$(basename "$file" .java)
        suite "$name" run_headless build -Xcheck:jni "${short_lived[@]}" -cp \
            "$(java_test_path):build/java/made/stubs" "$test_package.$name"
    done
    DRUA_AS_GPU=1 DRUA_CACHE=off DRUA_AHEAD=0 suite TransferTest-pinned run_headless build -Xcheck:jni -Xmx96m -cp \
        "$(java_test_path)" "$test_package.TransferTest"
}
