#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests pipelines whose input is on a server: servers.sh DRUA FILE_SERVER. The server runs on this computer and fails at
# chosen requests.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"
server=$(readlink -f "$2")
export no_proxy=127.0.0.1
blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
blocks="--chunk 32,32,32 --block 32,32,32"

mkdir served
"$drua" phantom served width=96 height=64 depth=32 background=20 >/dev/null 2>&1
"$drua" process copy served/image.tif served/two.zarr --chunk 32,32,32 >/dev/null 2>&1
"$drua" process copy served/image.tif served/shards.zarr --chunk 16,16,16 --shard 32,32,32 --zarr 0.5 >/dev/null 2>&1

mkfifo orders
"$server" served <orders >answers &
number=$!
trap 'kill $number 2>/dev/null; rm -rf "$folder"' EXIT
exec 3>orders
wait_for_lines() { # number of lines
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ "$(wc -l <answers)" -lt "$1" ] || return 0
        sleep 0.2
    done
    fail "the server does not answer"
}
wait_for_lines 1
address=http://127.0.0.1:$(head -n 1 answers)
order() { # line; $requests receives the number of requests so far
    before=$(wc -l <answers)
    echo "$*" >&3
    wait_for_lines $((before + 1))
    requests=$(tail -n 1 answers)
}

# The pixels must be those of the same image in a folder. The attributes differ, as they state the input's checksum.
pixels() { sums "$1" | grep -v 'zattrs\|\.json'; }
ends() { # status, text, what, command...
    wanted=$1 text=$2 what=$3 status=0
    shift 3
    "$@" >log 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "$what ends with $status, not $wanted: $(cat log)"
    grep -q "$text" log || fail "$what: no '$text' in $(cat log)"
}

for input in two.zarr shards.zarr image.tif; do
    # shellcheck disable=SC2086 # words
    "$drua" process "$blur" served/$input near/out.zarr $blocks >/dev/null 2>&1
    # shellcheck disable=SC2086
    ends 0 "" "plan of $input" "$drua" plan "$blur" $address/$input far/out.zarr $blocks -o far.json
    order works
    start=$requests
    ends 0 "" "$input" "$drua" run far.json
    order works
    all=$((requests - start))
    ends 0 "" "$input" "$drua" finish far.json
    [ "$(pixels near)" = "$(pixels far)" ] || fail "$input: other pixels than from the folder"
    rm -rf far far.json far.json.journal

    # the server loses the image in the middle, or refuses it; the same command then continues
    for code in 404 403; do
        # shellcheck disable=SC2086
        ends 0 "" "plan of $input" "$drua" plan "$blur" $address/$input part/out.zarr $blocks -o part.json
        order fail $code / $((all / 2))
        ends 75 "disappeared\|status $code\|no longer has it\|is missing; make it accessible" "$input with $code" "$drua" run part.json
        order works
        ends 0 "" "$input after $code" "$drua" run part.json
        ends 0 "" "$input after $code" "$drua" finish part.json
        [ "$(pixels near)" = "$(pixels part)" ] || fail "$input after $code: other pixels"
        rm -rf part part.json part.json.journal
    done
    rm -rf near
done

# one chunk fails although the others can be read
order fail 404 two.zarr/0/0 0
# shellcheck disable=SC2086
ends 0 "" "a missing chunk" "$drua" process "$blur" $address/two.zarr near/out.zarr $blocks
rm -r served/two.zarr/0/0
order works
# shellcheck disable=SC2086
ends 0 "" "a missing chunk" "$drua" process "$blur" served/two.zarr far/out.zarr $blocks
[ "$(pixels near)" = "$(pixels far)" ] || fail "missing chunks on a server are not the fill value"
order fail 400 shards.zarr/0/c 0
# shellcheck disable=SC2086
ends 75 "status 400" "a refused chunk" "$drua" process "$blur" $address/shards.zarr other/out.zarr $blocks

# nothing is written to addresses, and no password is printed
ends 1 "is an address" "an address as output" "$drua" process copy served/shards.zarr $address/new.zarr
ends 1 "no user, password" "a password" "$drua" process copy "http://me:hidden@127.0.0.1/a.zarr" out.zarr
grep -q hidden log && fail "a password was printed: $(cat log)"
ends 1 "no user, password" "a key" "$drua" process copy "http://127.0.0.1/a.tif?key=hidden" out.zarr
grep -q hidden log && fail "a key was printed: $(cat log)"
exit 0
