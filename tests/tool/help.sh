#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# help.sh PROGRAM: `--help` of every command prints the usage on stdout with status 0 and does nothing else; an unknown
# command prints it on stderr with status 2.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0
complain() { echo "$*"; failed=1; }

for words in --help help "devices --help" "check --help" "describe --help" "version --help" "tune --help" \
    "bench --help" "deconvolve --help" "phantom --help" "plan --help" "run --help" "finish --help" "verify --help" \
    "status --help" "process --help" "slurm --help" "run folder --help"; do
    status=0
    # shellcheck disable=SC2086
    said=$(timeout 20 "$program" $words 2>/dev/null) || status=$?
    [ $status -eq 0 ] || complain "drua $words: status $status"
    case $said in "usage: drua "*) ;; *) complain "drua $words: no usage on stdout" ;; esac
    [ -z "$(ls -A)" ] || complain "drua $words made $(ls -A)"
    rm -rf -- ./*
done
[ "$("$program" --version)" = "$("$program" version)" ] || complain "drua --version differs from drua version"
status=0
said=$("$program" nonsense 2>&1 >/dev/null) || status=$?
[ $status -eq 2 ] || complain "drua nonsense: status $status"
case $said in "usage: drua "*) ;; *) complain "drua nonsense: no usage on stderr" ;; esac
exit $failed
