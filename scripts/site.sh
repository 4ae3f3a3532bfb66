# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The update site for Fiji.
. scripts/build.sh

site() {
    build_all
    run_java fiji-update-site/MakeSite.java build build/site
}
