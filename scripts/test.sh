# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The test tiers, as described in tests/README.md.
. scripts/java_tests.sh
. scripts/suite.sh
. scripts/lint.sh
. scripts/cluster_tests.sh

run_tests() { # optional: a tier
    case ${1:-} in
        "") test_all ;;
        fast) if [ -n "${2:-}" ]; then test_operation "$2"; else test_fast; fi ;;
        long) test_long ;;
        faults) test_faults ;;
        races) test_races ;;
        devices) test_devices ;;
        window) test_window ;;
        site_pages) test_site_pages ;;
        cluster) test_cluster ;;
        contributor) test_contributor ;;
        platforms) test_platforms ;;
        *) stop "The tests are: ./dev test, ./dev test fast [OPERATION], long, window, site_pages, faults, races, devices, cluster, contributor, platforms" ;;
    esac
}

# The seed of random tests and samples depends on the committed code, so the same code always gives the same result.
# Each commit gets other samples; nightly tests use the time as seed.
choose_seed() {
    export DRUA_SEED=${DRUA_SEED:-$(seed_of_code)}
    echo "DRUA_SEED=$DRUA_SEED"
}

seed_of_code() {
    local tree
    tree=$(git rev-parse --verify --quiet 'HEAD^{tree}' || echo 1)
    echo $((16#${tree:0:7}))
}

prepare_tests() { # targets; all by default
    choose_seed
    build_tests "$@"
    pool_kernels
}

# Long tests take turns: only one of N tests with the label turns_of_N runs. Prints the names of the others.
waiting() { # build folder
    local turns
    for turns in 3 10; do
        ctest --test-dir "$1" -N -L "^turns_of_$turns\$" | sed -n 's/^ *Test *#[0-9]*: //p' |
            awk -v first=$((DRUA_SEED % turns)) -v turns=$turns 'NR % turns != first'
    done
}

test_all() {
    local names
    prepare_tests
    suite lint lint
    names=$(waiting build)
    echo "$(wc -l <<<"$names") C tests were skipped this time; another DRUA_SEED selects others, and ./dev test long runs all of them"
    suite c c_tests build -LE '^(faults|long)$' -E "^(${names//$'\n'/|})$"
    suite java-compile compile_java_tests
    side_by_side headless_suites window_suites
    suite contributor scripts/contributor.sh
    sum_up
}

headless_suites() {
    suite scripts tests/scripts/run.sh
    suite install tests/install/run.sh build
    suite maven tests/maven/run.sh build
    suite python tests/python/run.sh build
    DRUA_SAMPLE=2 DRUA_TURNS=2 suite macros tests/macro/run.sh build
    suite fiji-folder tests/macro/fiji_folder.sh build
    suite same tests/macro/same.sh build
    suite commands tests/macro/commands.sh build
    suite documents tests/documents/run.sh build
    suite published tests/macro/published.sh build
    suite batch tests/macro/batch.sh build
    suite warm-up tests/macro/warm_up.sh build
    java_tests
    case_suites
}

window_suites() {
    DRUA_SAMPLE=9 suite examples examples
    suite tasks tests/tasks/run.sh build
    suite site-pages site_pages
    DRUA_TURNS=3 suite window tests/macro/window.sh build
    suite demo tests/demo/run.sh build
    suite site tests/site/run.sh build
}

case_suites() {
    local folder
    local -x DRUA_OPTIMIZE=now      # other suites run few optimized kernels, because their images are small
    suite own-cases run_cases tests/golden/cases
    for folder in ../shared/cases ../shared/clij2/golden; do
        if [ -d "$folder" ]; then suite "$(basename "$folder")" run_cases "$folder"; else skip \
            "$(basename "$folder")" "the folder $folder does not exist"; fi
    done
}

test_fast() {
    prepare_tests
    suite lint lint
    suite c c_tests build -LE '^(faults|long|turns_of_.*|fuzz)$'
    sum_up
}

# Splits a long test among cores, because it takes an hour or more on one core. On few cores, splitting does not help.
parts() { if [ "$(nproc)" -gt 4 ]; then nproc; else echo 1; fi; }

test_long() {
    prepare_tests
    compile build "-DDRUA_PARTS=$(parts)"
    suite c-long c_tests build -L '^(turns_of_.*|long)$'
    suite java-compile compile_java_tests
    suite macros tests/macro/run.sh build
    DRUA_SAMPLE=1 java_tests
    suite examples examples
    sum_up
}

# Tests the recorder with all operations, not with a sample.
test_window() {
    prepare_tests
    DRUA_SAMPLE=1 suite window tests/macro/window.sh build
    sum_up
}

# Opens the site in a browser without a display.
test_site_pages() {
    local browser reason=
    . scripts/reference.sh
    choose_seed
    prepare test
    doc
    pool_kernels
    compile_java_tests
    suite demonstration-pictures demonstration_pictures build/tests/demonstrations
    browser=$(find_chromium)
    if [ ! -f build/doc/site/index.html ]; then
        skip browser "the site was not made: python3 or its packages are missing"
    elif [ -z "$browser" ]; then
        skip browser "Chromium is missing (Debian: chromium)"
    elif ! make_python build/doc/browser tests/pages/requirements.txt; then
        skip browser "$reason"
    else
        mkdir -p build/tests/screens
        suite browser build/doc/browser/bin/python tests/pages/browse.py build/doc/site "$browser" build/tests/screens
    fi
    sum_up
}

find_chromium() {
    has chromium || [ "$(id -u)" -ne 0 ] || apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends \
        chromium >&2 || true
    command -v chromium || true
}

test_contributor() {
    prepare_tests
    suite contributor scripts/contributor.sh
    sum_up
}

# Tests one operation: its calls against the reference, faults, budgets, the programs in its row in tests/support, and
# its golden cases.
test_operation() { # operation
    local programs
    export DRUA_ONLY=$1
    programs=$(sed -n "s/^ *{\"$1\", .*\"\([^\"]*\)\"},*$/\1/p" tests/support/rows_elsewhere.c |
        grep -oE '(unit|property|fault)/[a-z_]+' | tr / _ || true)
    # shellcheck disable=SC2086 # names
    prepare_tests drua_tool drua_java opencl_shim property_operations fault_every_operation fault_budget $programs
    build/bin/drua describe | grep "\"name\": *\"$1\"" >/dev/null ||
        stop "There is no operation $1; drua describe lists them."
    suite c c_tests build -R "^(property_operations_first|fault_every_operation_memory|fault_every_operation_driver|fault_budget${programs:+|${programs//$'\n'/|}})$"
    compile_java_tests
    gather_cases "$1" build/tests/cases
    suite cases run_gathered build/tests/cases
    sum_up
}

# Collects the cases of one operation in a folder for each format. Finds them by the operation's names in Drua and in
# other libraries, and by its commands.
gather_cases() { # operation, folder
    local names file
    rm -rf "$2"
    mkdir -p "$2/own" "$2/cases" "$2/golden"
    names=$(build/bin/drua describe | grep "\"operation\":\"$1\"" | grep -oE '"name":"[A-Za-z0-9_]+"' |
        cut -d '"' -f 4 || true)
    while read -r file; do ln -s "$root/$file" "$2/own"; done < <(grep -lE "\"op\": *\"$1\"" tests/golden/cases/*.json)
    for file in $names; do
        file=$(readlink -f ../shared)/clij2/golden/$file.json
        [ ! -f "$file" ] || ln -s "$file" "$(dirname "$file")/inputs.json" "$2/golden" 2>/dev/null || true
    done
    [ -d ../shared/cases ] || return 0
    names=$(printf '%s\n' "$1" "$names" | awk -F '\t' 'NR == FNR {names[$1]; next} $2 in names {print $1}' - \
        tests/golden/cases.tsv | sort -u | paste -s -d '|')
    [ -z "$names" ] || while read -r file; do ln -s "$file" "$2/cases"; done < <(grep -lE "\"op\": *\"($names)\"" \
        "$(readlink -f ../shared)"/cases/*.json)
}

run_gathered() { # folder
    local folder
    for folder in "$1"/*; do
        [ -z "$(find "$folder" -name '*.json' ! -name inputs.json)" ] || run_cases "$folder"
    done
}

# All platforms: builds twice, compares the bytes, inspects the files with tools, and runs those that this machine can
# run.
test_platforms() {
    . scripts/site.sh
    site_all
    pool_kernels
    suite platform-binaries tests/platforms/binaries.sh build/platforms
    suite platforms-again built_again
    suite javas tests/platforms/javas.sh build
    suite java8 tests/platforms/java8.sh build
    if has dh; then
        . scripts/debian.sh
        debian -b
        suite debian-packages tests/platforms/debian_packages.sh build/debian
    else
        skip debian-packages "debhelper is missing (Debian: debhelper)"
    fi
    if compgen -G '/usr/lib/wine/wine64' >/dev/null || has wine64; then
        build_platform win64 build/platforms-tests/win64 -DDRUA_PLATFORM_TESTS=ON
        suite windows tests/platforms/windows.sh build/platforms-tests/win64 build/fiji
    else
        skip windows "Wine is missing (Debian: wine64)"
    fi
    if has qemu-aarch64-static && has aarch64-linux-gnu-ld; then
        build_platform linux-arm64 build/platforms-tests/linux-arm64 -DDRUA_PLATFORM_TESTS=ON
        suite arm64 tests/platforms/arm64.sh build/platforms-tests/linux-arm64
    else
        skip arm64 "qemu is missing (Debian: qemu-user-static and binutils-aarch64-linux-gnu)"
    fi
    sum_up
}

# Builds all platforms again in another folder and compares the files.
built_again() {
    local copy=$root/build/again
    rm -rf "$copy"
    git clone -q . "$copy"
    ln -s "$root/.deps" "$copy/.deps"
    (cd "$copy" && ./dev site all >/dev/null 2>build.txt) || return 1
    cmp build/packages/SHA256SUMS "$copy/build/packages/SHA256SUMS" &&
        cmp build/site/db.xml.gz "$copy/build/site/db.xml.gz"
}

# Runs the tests with other OpenCL drivers, because each kernel compiler finds errors that others accept.
test_devices() {
    prepare_tests
    suite java-compile compile_java_tests
    local driver cases=../shared/cases
    mkdir -p build/drivers/intel build/drivers/oclgrind
    driver=$(find_intel)
    if [ -n "$driver" ]; then
        printf '%s\n' "$driver" >build/drivers/intel/intel.icd
        OCL_ICD_VENDORS=$root/build/drivers/intel LD_LIBRARY_PATH=$(dirname "$driver") suite c-intel c_tests build \
            -LE '^(faults|long)$'
        OCL_ICD_VENDORS=$root/build/drivers/intel LD_LIBRARY_PATH=$(dirname "$driver") suite cases-intel run_cases \
            "$cases"
    else
        skip intel "no Intel runtime; pip install intel-opencl-rt intel-cmplr-lib-rt into build/intel (python3-venv)"
    fi
    has oclgrind || [ "$(id -u)" -ne 0 ] || apt-get -o DPkg::Lock::Timeout=300 install -y -q oclgrind >&2 || true
    driver=$(find /usr/lib -name liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
    if [ -n "$driver" ] && [ -d "$cases" ]; then
        printf '%s\n' "$driver" >build/drivers/oclgrind/oclgrind.icd
        rm -f build/tests/oclgrind.txt
        # Oclgrind does not support rotations, which optimized kernels contain; its check for uninitialized values
        # crashes
        OCL_ICD_VENDORS=$root/build/drivers/oclgrind OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 \
            OCLGRIND_BUILD_OPTIONS=-cl-opt-disable \
            OCLGRIND_LOG=$root/build/tests/oclgrind.txt suite cases-oclgrind run_cases "$cases"
        suite oclgrind-findings no_findings build/tests/oclgrind.txt
    else
        skip oclgrind "Oclgrind (Debian package oclgrind) or ../shared/cases is missing"
    fi
    sum_up
}

find_intel() {
    if [ ! -d build/intel ] && has python3 && python3 -m venv build/intel >/dev/null 2>&1; then
        say "fetching Intel's OpenCL runtime for the CPU"
        build/intel/bin/pip install -q intel-opencl-rt intel-cmplr-lib-rt >&2 || true
    fi
    find "$root/build/intel/lib" -maxdepth 1 -name libintelocl.so 2>/dev/null || true
}

no_findings() { ! grep -E '^ *(Invalid|.*race|Uninit)' "$1"; }

test_faults() {
    choose_seed
    install_missing test
    compile build/faults "-DDRUA_PARTS=$(parts)" -DDRUA_JAVA=OFF -DDRUA_SANITIZE=ON -DDRUA_WERROR=ON \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo
    # A request for too much memory returns NULL, as without the sanitizer. clFFT deletes its objects as another type.
    # LLVM gives compiling threads a signal stack, which the sanitizer would free as its own.
    ASAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1:new_delete_type_mismatch=0:use_sigaltstack=0 \
        suite c-sanitized c_tests build/faults
    sum_up
}

# Tests of contexts, transfers, compilation and cancelling with several threads.
test_races() {
    choose_seed
    install_missing test
    compile build/races -DDRUA_JAVA=OFF -DDRUA_SANITIZE=thread -DDRUA_WERROR=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
    local units="threads|devices|push_pull|handles|names|program_cache|cancel|zarr|zarr_calls|tiff|fft_candidates"
    units+="|forks|progress|journal|other_contexts|block_memory|replaced_files|results_of_passes|archives|ome_tiff|chunk_cache"
    local faults="programs|transfers|crowds_driver|crowds_memory|clients|stopped|exits|growth|block_passes"
    local others="transfers_as_gpu|two_gpus|late_(transfers|threads)(_as_gpu)?|fuzz_zarr|soak"
    suite c-races c_tests build/races -R "^(unit_($units)|fault_($faults)|$others)$"
    sum_up
}
