# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Names the packages that this computer lacks, and installs them.
. scripts/common.sh
. scripts/java.sh

missing=() unavailable=""
need() { # package, reason
    missing+=("$1")
    say "missing: $1, $2"
}

use() { # package, reason: an optional package, used if the system has it
    [[ " $unavailable " == *" $1 "* ]] || need "$1" "$2"
}

has_opencl_device() {
    [ -n "${OCL_ICD_VENDORS:-}" ] || [ -n "${OCL_ICD_FILENAMES:-}" ] ||
        compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null
}

has_library() { /sbin/ldconfig -p 2>/dev/null | grep "$1" >/dev/null; }
has_module() { has pkg-config && pkg-config --exists "$1"; }

find_missing() { # purpose: native, build or test
    missing=()
    has cc || need build-essential "the C compiler"
    has cmake || need cmake "configures the build"
    has ninja || need ninja-build "runs the build"
    has pkg-config || need pkg-config "finds libraries"
    [ -f /usr/include/CL/cl.h ] || need opencl-headers "the declarations of OpenCL"
    has_module libtiff-4 || need libtiff-dev "reads and writes TIFF files"
    has_module blosc || need libblosc-dev "compresses OME-Zarr chunks"
    has_module libzstd || need libzstd-dev "compresses OME-Zarr chunks"
    has_module zlib || need zlib1g-dev "compresses OME-Zarr chunks"
    has_module jansson || need libjansson-dev "reads the metadata of OME-Zarr"
    has_module expat || need libexpat1-dev "reads the metadata of OME-TIFF"
    has_module libcurl || need libcurl4-openssl-dev "reads images on servers"
    has_library 'libOpenCL\.so\.1' || need ocl-icd-libopencl1 "finds the OpenCL drivers"
    [ -f /usr/include/vkFFT.h ] || use libvkfft-dev "Fourier transforms, for deconvolution"
    [ -f /usr/include/clFFT.h ] || use libclfft-dev "Fourier transforms without VkFFT"
    has_opencl_device || need pocl-opencl-icd \
        "runs OpenCL on the CPU, because no other OpenCL driver is installed"
    [ "$1" = native ] && return
    [ -n "$(jdk_home)" ] || need default-jdk-headless "compiles and runs the ImageJ plugin"
    have_jars || has mvn || need maven "fetches ImageJ's jars"
    if [ "$1" = test ]; then
        has_module check || need check "the framework of the C tests"
        [ -n "${JAVA_HOME:-}" ] || java_has_windows || need default-jre "Java with windows, for the window tests"
        has xvfb-run || need xvfb "a display for the window tests"
        has xauth || need xauth "a display for the window tests"
        has openbox || need openbox "a window manager for the window tests"
    fi
}

install_missing() { # purpose
    find_missing "$1"
    [ ${#missing[@]} -eq 0 ] && return
    local install="apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ${missing[*]}" root_rights=()
    has apt-get || stop "Install these packages with your system's package manager, then run ./dev again: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        if ! has sudo || ! sudo -n true 2>/dev/null && ! [ -t 0 ]; then
            say "su -c 'apt-get update && $install'"
            stop "Installing these packages needs root rights: run the line above, then ./dev again."
        fi
        root_rights=(sudo)
    fi
    say "installing ${missing[*]}"
    ${root_rights[@]+"${root_rights[@]}"} apt-get -o DPkg::Lock::Timeout=300 update -q >&2 ||
        say "Updating the package lists failed; using the old ones."
    local package
    for package in libvkfft-dev libclfft-dev; do
        [[ $install != *" $package"* ]] || apt-cache show "$package" >/dev/null 2>&1 && continue
        say "This system has no package $package. Drua is built without it and uses another library for Fourier transforms, if there is one."
        unavailable+=" $package" install=${install/ $package/}
    done
    # shellcheck disable=SC2086 # words
    ${root_rights[@]+"${root_rights[@]}"} env DEBIAN_FRONTEND=noninteractive $install >&2 ||
        stop "Installing these packages failed: ${missing[*]}"
    find_missing "$1"
    [ ${#missing[@]} -eq 0 ] || stop "Still missing after the installation: ${missing[*]}"
}

# ---- ImageJ's jars

have_jars() { (cd .deps 2>/dev/null && sha256sum --status --check ../java/jars.sha256 2>/dev/null); }

fetch_jars() {
    have_jars && return
    mkdir -p .deps
    local artifact
    for artifact in net.imagej:ij:1.54p net.imagej:ij1-patcher:2.0.0 org.javassist:javassist:3.30.2-GA \
        org.python:jython-standalone:2.7.4 org.apache.groovy:groovy:4.0.33 \
        com.eclipsesource.minimal-json:minimal-json:0.9.5 org.jocl:jocl:2.0.4 \
        org.commonmark:commonmark:0.24.0 org.commonmark:commonmark-ext-gfm-tables:0.24.0 \
        net.imglib2:imglib2:5.13.0 org.scijava:scijava-common:2.100.1 org.scijava:parsington:3.1.0 \
        org.apache-extras.beanshell:bsh:2.0b6 org.mozilla:rhino:1.7.15 org.mozilla:rhino-engine:1.7.15; do
        say "fetching $artifact"
        mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy "-Dartifact=$artifact" \
            "-DoutputDirectory=$root/.deps" \
            >.deps/log.txt 2>&1 || { cat .deps/log.txt >&2; stop \
                "Maven could not fetch $artifact; is Maven Central reachable?"; }
    done
    (cd .deps && sha256sum --check --quiet ../java/jars.sha256) ||
        stop "A jar in .deps differs from its checksum in java/jars.sha256; delete .deps and run ./dev again."
}
