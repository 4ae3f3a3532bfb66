# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs random programs for the given minutes. The four parts of the test alternate: threads, failing driver, failing
# memory, killed processes.
. scripts/test.sh

soak() { # minutes
    local minutes=${1:-30}
    [[ $minutes =~ ^[1-9][0-9]*$ ]] || stop "usage: ./dev soak [MINUTES]"
    choose_seed
    install_missing test
    compile build -DDRUA_TESTS=ON
    DRUA_SOAK_SECONDS=$((minutes * 60 / 4)) ctest --test-dir build -R '^soak$' -V | sed -n 's/^[0-9]*: //p'
    return "${PIPESTATUS[0]}"
}
