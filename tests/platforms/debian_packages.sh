#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# debian_packages.sh FOLDER: installs the Debian packages of a folder in a minimal Debian 12, builds the example there,
# and removes the packages. No file of Drua may remain.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
packages=$(cd "$1" && pwd) || exit 2
system=$tools/bookworm
skip() {
    echo "SKIP debian packages: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
if ! has debootstrap || ! unshare -m true 2>/dev/null; then skip \
    "debootstrap (Debian's package) is missing, or this user may not mount folders"; fi

inside() { # command...
    # shellcheck disable=SC2016 # the inner shell expands $
    unshare -m bash -c '
        system=$1
        shift
        mount -t proc proc "$system/proc" && mount --rbind /sys "$system/sys" && mount --rbind /dev "$system/dev" &&
            exec chroot "$system" /usr/bin/env -i "$@"' inside "$system" DEBIAN_FRONTEND=noninteractive HOME=/root \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

if [ ! -x "$system/usr/bin/cc" ]; then
    mkdir -p "$tools"
    rm -rf "$system"
    { debootstrap --variant=minbase bookworm "$system" &&
        inside apt-get install -y --no-install-recommends gcc libc6-dev pkg-config; } \
        >"$tools/bookworm.txt" 2>&1 ||
        { tail -n 5 "$tools/bookworm.txt"; rm -rf "$system"; skip "Debian 12 could not be set up"; }
fi

passed=0 failed=0
verdict() { # step, exit status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1"
        tail -n 20 "$system/said.txt"
    fi
}
step() { # what, command inside...
    local what=$1
    shift
    inside "$@" >"$system/said.txt" 2>&1
    verdict "$what" $?
}

rm -rf "$system/packages"
mkdir "$system/packages"
cp "$packages"/*.deb tests/example/example.c "$system/packages"
rm -f "$system/packages"/*dbgsym*
step "installing" sh -c 'apt-get install -y --no-install-recommends pocl-opencl-icd /packages/*.deb'
step "drua version" sh -c 'drua version | grep -Eq "^[0-9.]+$"'
step "drua devices" sh -c 'drua devices | grep -i pthread'
# shellcheck disable=SC2016 # the inner shell expands $
step "the example" sh -c 'cc /packages/example.c $(pkg-config --cflags --libs drua) -o /example &&
    /example | grep -Fx 16.416'
step "removing" apt-get purge -y drua libdrua-dev libdrua0
step "nothing stays" sh -c 'test -z "$(find /usr /etc /var/lib/dpkg/info -name "*drua*")"'
rm -f "$system/example"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
