# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Packs everything that ./dev bench needs on a computer without compilers and Java, such as a GPU node. On that
# computer, the pack is unpacked over a copy of this tree, and nothing is built.
. scripts/java_tests.sh

pack() {
    local folder=build/pack library
    has xz || stop "Packing needs xz (Debian: xz-utils)."
    build_all
    compile_java_tests
    rm -rf $folder build/pack.tar.xz
    mkdir -p $folder/lib
    "$(jdk_home)/bin/jlink" --add-modules java.desktop,java.management,jdk.management,jdk.unsupported --strip-debug \
        --no-man-pages --no-header-files --output $folder/java ||
        stop "Making the Java runtime for the pack failed."
    for library in libtiff libblosc libzstd libz libjansson libexpat libclFFT; do
        add_library "$library" $folder/lib
    done
    touch $folder/is_here
    XZ_OPT=-T0 tar -cJf build/pack.tar.xz $folder build/bin build/lib build/java/*.jar build/java/optional \
        build/java/made build/java-test .deps/ij*.jar .deps/javassist-*.jar .deps/minimal-json-*.jar
    say "written: build/pack.tar.xz; unpack it in a copy of this tree on the other computer, then run ./dev bench there"
}

# Copies a library that the engine loads at run time with its dependencies, except those of the system and its drivers.
add_library() { # name, folder
    local file
    file=$(ldconfig -p | sed -n "s/.*=> \(.*\/$1\.so\.[0-9]*\)$/\1/p" | sed -n 1p)
    [ -n "$file" ] || return 0
    cp -L "$file" "$2"
    ldd "$file" | sed -nE '/lib(c|m|dl|pthread|rt|stdc\+\+|gcc_s|OpenCL)\.so/d; s/.*=> (\/[^ ]*) .*/\1/p' |
        xargs -r -I {} cp -Ln {} "$2"
}
