#!/usr/bin/env bash
# fuzz.sh - feeds the three programs mutated test data, and looks for anything but a right answer or
# a one-line refusal.
#
# Usage: ./scripts/fuzz.sh [SECONDS [SEED [PROGRAM]]]
#   SECONDS  how long to try (60)
#   SEED     the same seed tries the same inputs in the same order; without one it is drawn and told
#   PROGRAM  clues, complete or reveal; without it all three, in turns
#
# The programs are built with overflow checks and debug assertions, and run with 400 MB of address
# space and 1 MiB of stack. Reported are: any status but 0 and 1, a run of more than a second, a word
# on standard error beside status 0, anything but one line that points into the input beside status
# 1, output beside an error that is not answers already due, and, for short inputs, any difference
# from the oracle. The shortest failing input of each kind is shrunk and saved in target/fuzz/.
#
# Exit status: 0 nothing found, 1 something found, 2 wrong usage or a failed build. The last line
# tells how many inputs were tried.
set -euo pipefail
shopt -s nullglob

readonly ADDRESS_SPACE=$((400 * 1024)) STACK=1024 # KiB
readonly PROGRAMS=(clues complete reveal)

stop() {
  printf 'fuzz.sh: %s\n' "$1" >&2
  exit 2
}

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
(($# <= 3)) || stop 'too many arguments (-h tells more)'
seconds=${1:-60} seed=${2:-$((RANDOM * 32768 + RANDOM))}
[[ $seconds =~ ^0*[1-9][0-9]{0,5}$ && $seed =~ ^[0-9]{1,18}$ ]] || stop 'SECONDS, 1 or more, and SEED are whole numbers'
programs=("${PROGRAMS[@]}")
if (($# == 3)); then
  [[ " ${PROGRAMS[*]} " == *" $3 "* ]] || stop "no such program: $3"
  programs=("$3")
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
folder=target/fuzz
mkdir -p -- "$folder"

# build SOURCE NAME FLAG...
build() {
  rustc -O --edition 2021 "${@:3}" "$1" -o "$scratch/$2" || stop "$1 cannot be built"
  mv -f -- "$scratch/$2" "$folder/$2"
}
build scripts/fuzz/main.rs fuzz & jobs=($!)
for program in "${programs[@]}"; do
  build "src/bin/$program.rs" "$program" -C debug-assertions=on -C overflow-checks=on & jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || exit 2; done

printf 'fuzz.sh: %d s with seed %d\n' "$((10#$seconds))" "$((10#$seed))"
ulimit -s "$STACK"
ulimit -v "$ADDRESS_SPACE" || stop 'this system cannot limit the address space'
# One arena: each further thread's would take 64 MiB of the driver's own address space.
MALLOC_ARENA_MAX=1 "$folder/fuzz" "$((10#$seconds))" "$((10#$seed))" testdata "$folder" "${@:3}"
