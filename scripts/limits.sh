#!/usr/bin/env bash
# limits.sh - holds the programs to their limits on boards too large to store: 1 MiB of stack, one
# thread, and for each program some bytes of memory a cell and 4 MB.
#
# Usage: ./scripts/limits.sh [SIDE]
#   SIDE  rows and columns of the largest boards, a multiple of 3 (3000)
#
# generate.sh makes the boards; check.sh judges, in a copy of the project, with MEMORY_LIMIT set to
# what each program may take. The answers: for reveal and complete the oracle's; for clues any
# field that satisfies every clue (the sizes are all that are different in kind: SIDE, which has one
# answer at most, and SIDE - 1, where rows or columns are free).
#
# Exit status: 0 all within their limits, 1 some not, 2 wrong usage or a failed build.
set -euo pipefail
shopt -s nullglob

readonly FIXED=4000000 # bytes that a program may take whatever the board
passed=0 failed=0

stop() {
  printf 'limits.sh: %s\n' "$1" >&2
  exit 2
}

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
side=${1:-3000}
[[ $# -le 1 && $side =~ ^[1-9][0-9]{0,3}$ && $((side % 3)) == 0 ]] || stop 'SIDE is a multiple of 3, below 10000'
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cp -R -- "$root/scripts" "$work/"
cd -- "$work"
jobs=()
for program in clues complete reveal; do
  mkdir -p -- "testdata/$program"
  rustc -O --edition 2021 "$root/src/bin/$program.rs" -o "$program" & jobs+=($!)
done
rustc -O --edition 2021 scripts/oracle.rs -o oracle & jobs+=($!)
for job in "${jobs[@]}"; do wait "$job" || stop 'a build has failed'; done

# board PROGRAM NAME ARGUMENT...: a case for it; the oracle gives its answer, or, for clues, an empty
# field stands for it: the judge looks at the clues as soon as the answer is another field
board() {
  local case=testdata/$1/07-max-$2
  ./scripts/generate.sh "$1" "${@:3}" > "$case.in" || stop 'no board'
  if [[ $1 == clues ]]; then
    awk -v rows="$3" -v columns="$4" 'BEGIN {
      for (c = 1; c <= columns; c++) line = line (c > 1 ? " _" : "_")
      for (r = 1; r <= rows; r++) print line }' > "$case.out"
  else
    ./oracle "$1" < "$case.in" > "$case.out" || stop "no answer to $case.in"
  fi
}

# judge PROGRAM CELLS BYTES STRICT: all its boards, with so many bytes a cell
judge() {
  local status=0 most=$((($2 * $3 + FIXED) * 1000 / 1048576)) limit
  printf -v limit %d.%03d "$((most / 1000))" "$((most % 1000))"
  printf '%s: %d bytes a cell and %d, %s MiB\n' "$1" "$3" "$FIXED" "$limit"
  STRICT=$4 VERBOSE=1 MEMORY_LIMIT=$limit TIME_LIMIT=20 ./scripts/check.sh "$1" "./$1" '*' > log 2>&1 < /dev/null || status=$?
  cat log
  if [[ $(tail -n 1 log) =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  fi
  ((status <= 1)) || failed=$((failed + 1))
  grep -q 'largest memory: [0-9]' log || { failed=$((failed + 1)) && echo 'FAILED: memory cannot be measured here'; }
}

board clues one-answer "$side" "$side" 15 1
board clues free-rows "$((side - 1))" "$side" 30 2
board clues free-columns "$side" "$((side - 1))" 50 3
board clues both-free "$((side - 1))" "$((side - 1))" 15 4
for density in 0 1 12 40; do
  board reveal "json-$density" "$side" "$side" "$density" 5
  board reveal "plain-$density" "$side" "$side" "$density" 6 --plain
done
board complete few-unknown 1 "$side" "$side" 15 1 7 --unknown 10
board complete a-wrong-digit 1 "$side" "$side" 15 1 8 --unknown 10 --spoil 1

ulimit -s 1024
judge clues "$((side * side))" 2 ''
judge reveal "$((side * side))" 3 1
judge complete "$((side * side))" 2 1
for program in clues complete reveal; do
  if grep -nE 'thread::|std::thread' "$root/src/bin/$program.rs"; then
    failed=$((failed + 1))
    printf 'FAILED: %s.rs uses threads\n' "$program"
  fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$((failed > 0))"
