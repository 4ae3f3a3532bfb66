# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What people run: macros without a display, the demonstrations.
. scripts/build.sh

macro() {
    [ $# -gt 0 ] || stop "usage: ./dev macro FILE [ARG] [--samples FOLDER] [--out FOLDER]"
    build_all >&2
    cd "$from"
    quiet_java imagej "$root/build" patched -- "$@"
}

demo() { # nothing, deconvolution or esrrf
    local macro=()
    case ${1:-} in
        "") macro=(macros/segment_nuclei.ijm "$root/macros/images,$root/out") ;;
        deconvolution) macro=(macros/deconvolve_bars.ijm "$root/out") ;;
        esrrf) macro=(macros/esrrf.ijm "$root/out") ;;
        *) stop "There are three demonstrations: ./dev demo, ./dev demo deconvolution and ./dev demo esrrf" ;;
    esac
    build_all
    mkdir -p out
    quiet_java imagej build patched -- "${macro[@]}"
    echo "pictures and tables: $root/out"
}
