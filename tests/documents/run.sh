#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs each code block in README.md, CONTRIBUTING.md and docs/*.md: run.sh BUILD [FILE...]. Macros get the images of
# before.ijm, scripts the image of before.py or before.groovy, and statements in C the images of before.c. Commands run
# in a folder with the files of example_files.ijm, which blocks call /data, with drua on the path. C uses the installed
# library. DifferencesTest tests docs/differences.md. A block that cannot run follows a comment <!-- not run: REASON
# -->. Output of commands is in `text` blocks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
[ $# -eq 0 ] || shift
# shellcheck source=scripts/java.sh
. "$root/scripts/java.sh"
# shellcheck source=tests/python/install.sh
. "$root/tests/python/install.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

run_ijm() { # block
    {
        grep -v '^// ' "$here/before.ijm"
        sed "s|\"/data/|\"$work/files/|g; s|getDirectory(\"home\") + \"|\"$work/files/|g" "$1"
    } >"$work/block.ijm"
    imagej "$build" patched "${short_lived[@]}" "-Duser.home=$work/files" -- "$work/block.ijm"
}

run_python() {
    cat "$here/before.py" "$1" >"$work/block.py"
    imagej "$build" jython "${short_lived[@]}" "-Duser.home=$work/files" -- "$work/block.py"
}

run_python3() { PYTHONPATH=$work/python/package python3 -W error "$1"; }

run_groovy() {
    cat "$here/before.groovy" "$1" >"$work/block.groovy"
    imagej "$build" groovy "${short_lived[@]}" "-Duser.home=$work/files" -- "$work/block.groovy"
}

run_sh() { PATH=$build/bin:$PATH bash -euo pipefail "$1"; }

# A block is a program, functions, or statements that use the context and the images of before.c. A program whose first
# line is a comment with its name, such as /* nuclei.c: ... */, is there for later commands.
run_c() {
    local name
    name=$(sed -nE '1s|^/\* ([a-z]+\.c): .*|\1|p' "$1")
    [ -z "$name" ] || cp "$1" "$work/made/$name"
    if grep -q '^int main(' "$1"; then # a program with arguments is run by later commands
        cp "$1" program.c
    elif grep -q '^static ' "$1"; then
        { cat "$1"; echo 'int main(void) { need(DRUA_OK); return 0; }'; } >program.c
    else
        sed "/^ *\/\* STATEMENTS/r $1" "$here/before.c" >program.c
    fi
    # shellcheck disable=SC2046 # options
    cc -Wall -Wextra -Werror program.c $(pkg-config --cflags --libs drua) -o program
    ! grep -q '^int main(void)' program.c || ./program
}

has_jars() { # language
    case $1 in
        python) imagej_path jython >/dev/null ;;
        python3) has_numpy ;;
        ijm) imagej_path patched >/dev/null ;;
        groovy) imagej_path groovy >/dev/null ;;
    esac
}

run_block() ( # block; runs in a copy of the files, because blocks make files of the same names
    rm -rf "$work/files"
    cp -r "$work/made" "$work/files"
    ln -s "$root/macros" "$work/files/macros"
    cd "$work/files"
    "run_${1##*.}" "$1" >"$work/said" 2>&1 </dev/null
)

judge() { # document, line, language, folder of its blocks
    local what="$1 line $2" block=$4/$2.$3
    case $3 in
        text) return ;;
        none) fault="has no language: text for output, or ijm, python (Jython), python3, sh, c, json, groovy" ;;
        *)
            if [ -f "$4/$2.reason" ]; then return; fi
            fault=
            if [ "$(type -t "run_$3")" != function ]; then
                fault="nothing here runs $3; write why before it, <!-- not run: REASON -->"
            elif ! has_jars "$3"; then
                skipped=$((skipped + 1))
                echo "SKIP $what: what runs $3 is missing"
                return
            elif ! run_block "$block"; then
                fault="fails: $(tail -n 12 "$work/said")"
            fi
            ;;
    esac
    if [ -z "$fault" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what $fault"
    fi
}

mkdir -p "$work/made"
cat >"$work/made/pipeline.ijm" <<'END'
image = getTitle();
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_push(image);
Ext.CLIJ2_gaussianBlur3D(image, blurred, 2, 2, 1);
Ext.CLIJ2_pull(blurred);
END
imagej "$build" patched "${short_lived[@]}" -- "$here/example_files.ijm" "$work/made" >"$work/said" 2>&1 ||
    { cat "$work/said"; exit 1; }
cmake --install "$build" --prefix "$work/installed" >"$work/said"
library=$(dirname "$(find "$work/installed" -name libdrua.so)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
"$build/bin/drua" process copy "$work/made/channels.tif" "$work/made/channels.zarr" >/dev/null 2>&1
cd "$root"
mkdir -p "$work/python"
! has_numpy || install_package "$build" "$work/python"
[ $# -gt 0 ] || set -- README.md CONTRIBUTING.md docs/*.md
for document; do
    [ "$document" != docs/differences.md ] || continue
    blocks=$work/blocks/$(basename "$document")
    mkdir -p "$blocks"
    while read -r line language; do judge "$document" "$line" "$language" "$blocks"; \
        done < <(awk -v "folder=$blocks" -f "$here/blocks.awk" "$document")
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
