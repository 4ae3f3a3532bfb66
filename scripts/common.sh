# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What every script needs. Sourced by ./dev in the project's folder.

export root=$PWD
from=${from:-$PWD}          # where the user is

say() { printf '%s\n' "$*" >&2; }
stop() { say "$@"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
