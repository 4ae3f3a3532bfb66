# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs macros without a display, and the demonstrations.
. scripts/build.sh
. scripts/demo_blocks.sh

macro() {
    [ $# -gt 0 ] || stop "usage: ./dev macro FILE [ARG | NAME=VALUE...] [--samples FOLDER] [--out FOLDER]" \
        "[--dialog OPTIONS] [--keep-going]"
    build_all >&2
    cd "$from"
    quiet_java imagej "$root/build" patched -- "$@"
}

demo() { # optional: deconvolution, esrrf, tiles or blocks
    local macro=()
    if [ "${1:-}" = blocks ]; then
        build_all
        demo_blocks
        return
    fi
    case ${1:-} in
        "") macro=(macros/segment_nuclei.ijm "$root/macros/images,$root/out") ;;
        deconvolution) macro=(macros/deconvolve_bars.ijm "$root/out") ;;
        esrrf) macro=(macros/esrrf.ijm "$root/out") ;;
        tiles) macro=(macros/light_sheet.ijm "$root/out") ;;
        *) stop "The demonstrations are ./dev demo, ./dev demo deconvolution, esrrf, tiles and blocks" ;;
    esac
    build_all
    mkdir -p out
    quiet_java imagej build patched "${short_lived[@]}" -- "${macro[@]}"
    echo "pictures and tables: $root/out"
}
