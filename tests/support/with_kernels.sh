#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command with the kernels that others before it have compiled: with_kernels.sh FOLDER COMMAND...
# PoCL may crash when two processes fill one cache at the same moment. So each process has a cache to itself for as long as it runs;
# what it compiled goes to the pool when it has passed, and comes from there when the next one starts.
set -u
folder=$1
shift
mkdir -p "$folder/pool"
lane=0
while :; do
    exec {lock}>"$folder/$lane.lock"
    flock --nonblock "$lock" && break
    exec {lock}>&-
    lane=$((lane + 1))
done
export POCL_CACHE_DIR=$folder/$lane
mkdir -p "$POCL_CACHE_DIR"

share() { # from, to: links, as finished files are never written again
    flock "$folder/pool.lock" cp -aln "$1/." "$2/" 2>/dev/null
}

if [ "$folder/pool.changed" -nt "$folder/$lane.shared" ]; then
    touch "$folder/$lane.shared"
    share "$folder/pool" "$POCL_CACHE_DIR"
fi
touch "$folder/$lane.begun"
"$@" {lock}>&-
status=$?
if [ $status -ne 0 ]; then
    rm -rf "$POCL_CACHE_DIR" "$folder/$lane.shared"     # who knows what it left there
elif [ -n "$(find "$POCL_CACHE_DIR" -name '*.so' -newer "$folder/$lane.begun" -print -quit)" ]; then
    share "$POCL_CACHE_DIR" "$folder/pool"
    touch "$folder/pool.changed"
fi
exit $status
