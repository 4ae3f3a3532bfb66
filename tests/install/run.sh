#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD: installs a build into an empty folder, moves the folder, and builds the example against it as an
# external project, with pkg-config and with find_package.
set -euo pipefail
build=$(readlink -f "$1")
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
example=$here/../example/example.c
printed=16.416
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # what, function
    if (set -euo pipefail; "$2") >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
        sed 's/^/    /' "$work/said"
    fi
}

DESTDIR=$work/stage cmake --install "$build" --prefix /opt/drua >"$work/installed"
mv "$work/stage/opt/drua" "$work/moved"
prefix=$work/moved
library=$(dirname "$(find "$prefix" -name libdrua.so)")

nothing_elsewhere() { [ -z "$(find "$work/stage" -type f)" ]; }

files_are_there() {
    local file
    for file in include/drua/{drua,process_file,sized,types,version}.h bin/drua share/doc/drua/LICENSE; do
        [ -s "$prefix/$file" ] || { echo "missing: $file"; return 1; }
    done
    [ -s "$library/libdrua.a" ]
}

soname_has_the_version() {
    objdump -p "$library/libdrua.so" | grep -E 'SONAME +libdrua\.so\.[0-9]+$'
    "$prefix/bin/drua" version | grep -E '[0-9]+\.[0-9]+\.[0-9]+'
}

program_by_pkg_config() {
    export PKG_CONFIG_PATH=$library/pkgconfig
    # shellcheck disable=SC2046 # options
    cc -Wall -Wextra -Werror -pedantic "$example" $(pkg-config --cflags --libs drua) -o "$work/by_pkg_config"
    LD_LIBRARY_PATH=$library "$work/by_pkg_config" | grep -Fx "$printed"
}

programs_by_find_package() {
    cmake -S "$here/stranger" -B "$work/stranger" -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLE="$example"
    cmake --build "$work/stranger"
    "$work/stranger/shared" | grep -Fx "$printed"
    "$work/stranger/static" | grep -Fx "$printed"
}

manual_page_is_whole() {
    local page=$prefix/share/man/man1/drua.1 command
    grep -q '^\.TH DRUA 1 .*Drua [0-9]' "$page"
    for command in $("$prefix/bin/drua" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
        grep -q "^\.SS drua $command\b" "$page" || { echo "the page lacks $command"; return 1; }
    done
    if command -v groff >/dev/null; then
        [ -z "$(groff -man -Tutf8 -ww "$page" 2>&1 >"$work/page")" ]
        grep -q 'OpenCL devices' "$work/page"
    fi
}

# Prints the words that bash offers after a line.
offer() { # word...
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _drua
    echo "${COMPREPLY[*]}"
}

completion_in_bash() {
    # shellcheck source=/dev/null
    . "$prefix/share/bash-completion/completions/drua"
    complete -p drua
    [ "$(offer drua dec)" = deconvolve ]
    [ "$(offer drua describe gaussian_blu)" = gaussian_blur ]
    [ "$(offer drua process in --dev | tr ' ' '\n' | sort | tr '\n' ' ')" = "--device --devices " ]
    [ "$(offer drua phantom folder wid)" = "width=" ]
    [ "$(offer drua help slu)" = slurm ]
    [ -z "$(offer drua run pla)" ] # bash completes names of files instead
}

completion_in_zsh() {
    local file=$prefix/share/zsh/site-functions/_drua
    grep -q "'deconvolve:Undo" "$file"
    ! command -v zsh >/dev/null || zsh -n "$file"
}

another_version_is_refused() {
    sed 's/Drua 0.1/Drua 99.0/' "$here/stranger/CMakeLists.txt" >"$work/CMakeLists.txt"
    ! cmake -S "$work" -B "$work/refused" -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLE="$example" 2>"$work/why"
    grep -F '99.0' "$work/why"
}

# Runs the command of the C guide that configures the build, in a copy without fetched jars.
guide_configures_a_fresh_copy() {
    local command
    command=$(sed -n 's/^\(cmake --preset [^&]*\) &&.*/\1/p' "$here/../../docs/c_guide.md")
    mkdir "$work/fresh"
    (cd "$here/../.." && git ls-files -z | tar -c --null -T -) | tar -x -C "$work/fresh"
    cd "$work/fresh"
    [[ $command == "cmake --preset "* ]]
    # shellcheck disable=SC2086 # options
    env -u JAVA_HOME $command
}

check "everything is below the prefix" nothing_elsewhere
check "files" files_are_there
check "the name of the shared library" soname_has_the_version
check "a program by pkg-config" program_by_pkg_config
check "programs by find_package" programs_by_find_package
check "the manual page" manual_page_is_whole
check "completion in bash" completion_in_bash
check "completion in zsh" completion_in_zsh
check "another version" another_version_is_refused
check "the command of the C guide in a fresh copy" guide_configures_a_fresh_copy
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
