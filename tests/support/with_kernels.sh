#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command with the kernels that earlier commands have compiled: with_kernels.sh FOLDER COMMAND... PoCL may crash
# if two processes write to one cache at the same time. Each process therefore has a private cache while it runs. If it
# passes, its kernels go to the shared pool, from which the next process starts.
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

share() { # from, to: hard links, because finished files are never written again
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
    rm -rf "$POCL_CACHE_DIR" "$folder/$lane.shared"     # its content may be incomplete
elif [ -n "$(find "$POCL_CACHE_DIR" -name '*.so' -newer "$folder/$lane.begun" -print -quit)" ]; then
    share "$POCL_CACHE_DIR" "$folder/pool"
    touch "$folder/pool.changed"
fi
exit $status
