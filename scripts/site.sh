# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The update site for Fiji.
. scripts/reference.sh

site() {
    build_all
    [ -n "$(jar_in build/java 'Drua_pages_-*.jar')" ] || doc
    run_java fiji-update-site/MakeSite.java build build/site
}
