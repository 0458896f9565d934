#!/usr/bin/env bash
# judges.sh - builds each program alone, as the judges' compilers would, and runs the whole test data
# on every build: each edition that a compiler knows, at -O and without any flag (opt-level 0 with
# overflow checks), every warning an error. Builds that are the same to the byte are run once.
#
# Usage: ./scripts/judges.sh [COMPILER]...
#   COMPILER  a rustc; without it the one in $PATH and rustc 1.63, the oldest that is supported, out
#             of Debian 12's packages (unpacked into ~/.cache, not installed; skipped, with a word,
#             where they cannot be had)
#
# Environment: TIME_LIMIT  seconds a case (10): builds without optimisation take their time
#
# Exit status: 0 all passed, 1 something failed, 2 wrong usage or no compiler.
set -euo pipefail
shopt -s nullglob

readonly PROGRAMS=(clues complete reveal) EDITIONS=(2015 2018 2021 2024)
readonly OLDEST=1.63 PACKAGES=(rustc libstd-rust-1.63 libstd-rust-dev libllvm14)
export TIME_LIMIT=${TIME_LIMIT:-10} STRICT=1
passed=0 failed=0 logs=()

case ${1-} in -h | --help) sed -n '2,/^# Exit/{s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# fetch FOLDER: unpacks the oldest compiler there, if this system's packages are of that release
fetch() (
  set -e
  mkdir -p -- "$work/debs" "$work/root"
  cd -- "$work/debs"
  apt-get download "${PACKAGES[@]}" || { apt-get update && apt-get download "${PACKAGES[@]}"; }
  for package in *.deb; do dpkg-deb -x "$package" "$work/root"; done
  mkdir -p -- "${1%/*}"
  rm -rf -- "$1"
  mv -- "$work/root" "$1"
)

# oldest: prints a command that starts the oldest compiler, fetched if need be
oldest() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/minesweeper-judge/rustc-$OLDEST
  local start=$work/rustc-$OLDEST libraries
  [[ -x $folder/usr/bin/rustc ]] || fetch "$folder" > "$work/fetch.log" 2>&1 || return 1
  libraries=$(printf '%s:' "$folder"/usr/lib/*-linux-gnu)
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$libraries" "$folder/usr/bin/rustc" > "$start"
  chmod +x -- "$start"
  [[ $("$start" --version) == "rustc $OLDEST".* ]] && printf '%s\n' "$start"
}

# knows COMPILER EDITION
knows() { echo 'fn main() {}' | "$1" --edition "$2" --emit metadata -o "$work/empty" - 2> "$work/empty.log"; }

# judge NAME COMPILER PROGRAM FLAG...: builds, runs what is new; the last line counts
judge() {
  local made=$work/$1
  if ! "$2" -D warnings "${@:4}" "src/bin/$3.rs" -o "$made" || [[ -s $work/$1.log ]]; then
    printf '0 passed, 1 failed\n'
    return
  fi
  if mkdir -- "$work/$(sha256sum < "$made" | cut -d ' ' -f 1)" 2> /dev/null; then
    ./scripts/check.sh "$3" "$made" || true # its last line tells
  else
    printf 'the same to the byte as another build\n'
  fi
  rm -f -- "$made"
}

# start COMPILER FLAG...: judges all the programs of one compiler, edition and level, side by side
start() {
  local program name
  for program in "${PROGRAMS[@]}"; do
    name=$program-${#logs[@]}
    while (($(jobs -rp | wc -l) >= cores)); do wait -n || true; done
    judge "$name" "$1" "$program" "${@:2}" > "$work/$name.log" 2>&1 &
    logs+=("$("$1" --version | cut -d ' ' -f 1,2), ${*:2}: $program|$work/$name.log")
  done
}

compilers=("$@")
if (($# == 0)); then
  compilers=(rustc)
  if compiler=$(oldest); then
    compilers+=("$compiler")
  else
    printf 'SKIPPED: rustc %s: Debian 12 packages cannot be had here\n' "$OLDEST"
    tail -n 3 -- "$work/fetch.log" 2> /dev/null || true
  fi
fi
cores=$(nproc 2> /dev/null || echo 2)
for compiler in "${compilers[@]}"; do
  [[ $("$compiler" --version 2> /dev/null || true) == rustc\ * ]] ||
    { printf 'judges.sh: no rustc: %s\n' "$compiler" >&2 && exit 2; }
done
for compiler in "${compilers[@]}"; do
  for edition in "${EDITIONS[@]}"; do
    if knows "$compiler" "$edition"; then
      start "$compiler" --edition "$edition" -O
      start "$compiler" --edition "$edition"
    else
      printf '%s does not know edition %s\n' "$("$compiler" --version)" "$edition"
    fi
  done
done
wait

for entry in ${logs[@]+"${logs[@]}"}; do
  last=$(tail -n 1 -- "${entry#*|}")
  printf '%s: %s\n' "${entry%%|*}" "$last"
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    ((BASH_REMATCH[2] == 0)) || head -n 40 -- "${entry#*|}"
  elif [[ $last != 'the same to the byte as another build' ]]; then
    failed=$((failed + 1))
    head -n 40 -- "${entry#*|}"
  fi
done
((passed + failed > 0)) || failed=1
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$((failed > 0))"
