#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Inspects the six libraries with tools: dependencies, oldest supported system, exports, signatures. binaries.sh FOLDER
# OF BUILDS
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
builds=$1
passed=0 failed=0

verdict() { # name, error
    if [ -z "$2" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1: $2"
    fi
}

tool() { compgen -c "llvm-$1" | sort -V | tail -n 1; }
objdump=$(tool objdump) nm=$(tool nm)
[ -n "$objdump" ] && [ -n "$nm" ] || { echo "llvm-objdump and llvm-nm are missing (Debian: llvm)"; exit 1; }

others() { grep -vE "$1" | sort -u | paste -s -d ' '; }     # prints lines that do not match

ours='^_?(drua_[a-z0-9_]+|JNI_On(Load|Unload))$'
for name in $(platform_names); do
    file=$builds/$name/lib/$(library_of "$name")
    [ -f "$file" ] || { verdict "$name" "there is no $file"; continue; }
    case $name in
        linux*)
            verdict "$name needs" "$("$objdump" -p "$file" | awk '$1 == "NEEDED" {print $2}' |
                others '^(lib(m|c|pthread|dl)\.so\.[0-9]+|ld-linux-.*)$')"
            verdict "$name is too new" "$("$objdump" -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -u |
                awk -F '[_.]' '$2 > 2 || $3 > 17')"
            exports=$("$nm" -D --defined-only "$file" | awk '{print $NF}') ;;
        win*)
            verdict "$name needs" "$("$objdump" -p "$file" | awk '/DLL Name/ {print $3}' |
                others '^(KERNEL32|api-ms-win-crt-[a-z]+-l1-1-0)\.dll$')"
            # Microsoft's C passes complex numbers differently, and Wine lacks these functions
            verdict "$name computes with complex numbers of Windows" "$("$objdump" -p "$file" |
                grep -oE ' c(abs|arg|exp|log|pow|proj|real|imag|sqrt|a?(sin|cos|tan)h?)[fl]?$' | sort -u |
                paste -s -d ' ')"
            exports=$("$objdump" -p "$file" |
                awk '/Export Table/ {inside = 1} inside && $1 ~ /^[0-9]+$/ && $2 ~ /^0x/ {print $3}') ;;
        macos*)
            heads=$("$objdump" --macho --private-headers "$file")
            verdict "$name needs" \
                "$(awk '$1 == "cmd" {dylib = $2 == "LC_LOAD_DYLIB"} dylib && $1 == "name" {print $2}' <<<"$heads" |
                    others '^/usr/lib/libSystem\.B\.dylib$')"
            verdict "$name has another name" \
                "$(awk '$1 == "cmd" {id = $2 == "LC_ID_DYLIB"} id && $1 == "name" {print $2}' <<<"$heads" |
                others '^@rpath/libdrua\.dylib$')"
            oldest=$(awk '$1 == "cmd" {least = $2 ~ /VERSION_MIN_MACOSX/}
                $1 == "minos" || least && $1 == "version" {print $2}' <<<"$heads" | head -n 1)
            [[ $(target_of "$name") == *"macos.$oldest" ]] || verdict "$name's oldest system" "$oldest"
            [ "$name" = macos64 ] || verdict "$name's signature" "$(python3 tests/platforms/signature.py "$file" 2>&1)"
            exports=$("$nm" -g --defined-only "$file" | awk '{print $NF}' |
                grep -vxE '___dso_handle|__mh_dylib_header') ;;
    esac
    # messages of zlib, zstd, c-blosc, jansson and expat
    for said in "incorrect data check" "Unknown frame descriptor" blosclz "'\\[' or '{' expected" "not well-formed"; do
        verdict "$name is without the library that says $said" \
            "$(grep -qa "$said" "$file" || echo 'it is not linked in')"
    done
    verdict "$name exports" "$(others "$ours" <<<"$exports")"
    verdict "$name lacks" "$(cat native/include/drua/*.h | grep '^DRUA_API' | grep -oE 'drua_[a-z_0-9]+\(' | tr -d '(' |
        sort -u | comm -23 - <(sed 's/^_//' <<<"$exports" | sort -u) | paste -s -d ' ')"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
