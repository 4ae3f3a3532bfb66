# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs the programs of macros/tasks. Each one runs in a folder of its name, which then holds its files, printed.txt,
# errors.txt and status.txt. A program for which this computer lacks something leaves no folder.
. scripts/common.sh
. scripts/java.sh
. tests/python/install.sh

# build, folder, names; all by default
run_tasks() {
    local build folder file name
    build=$(cd "$1" && pwd)
    mkdir -p "$2"
    folder=$(cd "$2" && pwd)
    shift 2
    for file in macros/tasks/*; do
        name=$(basename "${file%.*}")
        case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
        rm -rf "${folder:?}/$name"
        can_run_task "$file" || continue
        mkdir -p "$folder/$name/temporary"
        ln -s "$root/macros" "$folder/$name/macros"
        (cd "$folder/$name" && run_task "$build" "$file" && echo 0 >status.txt || echo 1 >status.txt) \
            >"$folder/$name/printed.txt" 2>"$folder/$name/errors.txt" </dev/null
    done
}

can_run_task() { # program
    case $1 in
        *.c) has cc && has pkg-config ;;
        */use_from_python.py) has_numpy ;;
        *.py) imagej_path jython >/dev/null ;;
        *) true ;;
    esac
}

run_task() { # build, program
    local library options=("${short_lived[@]}" -Djava.io.tmpdir="$PWD/temporary")
    case $2 in
        *.ijm) imagej "$1" patched "${options[@]}" -- "$2" --out . ;;
        *.sh) PATH=$1/bin:$PATH bash "$2" ;;
        */use_from_python.py)
            (cd "$root" && install_package "$1" "$OLDPWD/temporary") &&
                PYTHONPATH=temporary/package python3 "$2"
            ;;
        *.py) imagej "$1" jython "${options[@]}" -- "$2" ;;
        *.c)
            cmake --install "$1" --prefix temporary/installed >temporary/said
            library=$(dirname "$(find "$PWD/temporary/installed" -name libdrua.so)")
            export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
            # shellcheck disable=SC2046 # options
            cc -Wall -Wextra -Werror "$2" $(pkg-config --cflags --libs drua) -o temporary/program && temporary/program
            ;;
    esac
}
