# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Functions for all scripts. ./dev sources this file in the project's folder.

export root=$PWD
from=${from:-$PWD}          # the user's current folder

say() { printf '%s\n' "$*" >&2; }
stop() { say "$@"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
