# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Makes the Python package drua as a wheel, for this platform or for all.
. scripts/platforms.sh

wheel() { # optional: all
    has python3 || stop "Making the wheel needs python3."
    case ${1:-} in
        "")
            build_all
            write_wheel build build/lib/libdrua.so "linux_$(uname -m)" build/wheel
            ;;
        all)
            build_all
            build_platforms build/platforms
            write_wheels build/platforms build/wheel
            ;;
        *) stop "usage: ./dev wheel, or ./dev wheel all" ;;
    esac
}

write_wheels() { # folder of platforms, folder
    local name
    for name in $(platform_names); do
        write_wheel build "$1/$name/lib/$(library_of "$name")" "$(wheel_tag "$name")" "$2"
    done
}

# The tag of a wheel names the platform and, for Linux and macOS, the oldest system on which the library runs.
wheel_tag() { # platform
    case $1 in
        linux64) echo manylinux_2_17_x86_64 ;;
        linux-arm64) echo manylinux_2_17_aarch64 ;;
        win64) echo win_amd64 ;;
        win-arm64) echo win_arm64 ;;
        macos64) echo macosx_10_13_x86_64 ;;
        macos-arm64) echo macosx_11_0_arm64 ;;
    esac
}

write_wheel() { # build folder for this computer, library, platform tag, output folder
    mkdir -p "$4"
    "$1/bin/drua" describe >"$4/registry.json"
    python3 packaging/python/build_wheel.py "$2" "$4/registry.json" "$(project_version)" "$3" "$4"
    rm "$4/registry.json"
}
