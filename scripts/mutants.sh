#!/usr/bin/env bash
# mutants.sh - is the test data sharp? Puts small bugs into the programs, one at a time, and expects
# each to be found: by check.sh or, if all the test data passes, by random boards of stress.sh.
#
# Usage: ./scripts/mutants.sh [PROGRAM [PATTERN]]
#   PROGRAM  clues, complete or reveal; without it all three
#   PATTERN  picks bugs by name, as the shell does: 'last-*'
#
# The bugs, and why one could make them, are in mutants/bugs.md. Each is put into a copy of the
# project and built as judges build it. The unchanged programs must pass first, or nothing is proved.
#
# Environment: TIME_LIMIT  seconds a case (1), as for check.sh
#              COUNT       boards of stress.sh (5000)
#              RUSTC       the compiler (rustc)
#
# A line a bug: `killed`, and the verdict and the case that show it; `SURVIVED`, where a test is
# missing; `BAD`, where the list is wrong: the old lines are not in the source or there more than
# once, or the bug does not compile. BAD counts as failed.
#
# Exit status: 0 all killed, 1 something failed, 2 wrong usage, no bug, or an unchanged program fails.
set -euo pipefail
shopt -s nullglob

readonly LIST=scripts/mutants/bugs.md APPLY=scripts/mutants/apply.awk COUNT=${COUNT:-5000}
export TIME_LIMIT=${TIME_LIMIT:-1} STRICT=1
passed=0 failed=0

stop() {
  printf 'mutants.sh: %s\n' "$1" >&2
  exit 2
}

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
(($# <= 2)) || stop 'too many arguments (-h tells more)'
[[ -z ${1-} || " clues complete reveal " == *" $1 "* ]] || stop "no such program: $1 (clues, complete or reveal)"
[[ $COUNT =~ ^[1-9][0-9]{0,8}$ ]] || stop "COUNT: not a whole number from 1: $COUNT"
command -v "${RUSTC:-rustc}" > /dev/null || stop "no such compiler: ${RUSTC:-rustc}"
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir -- "$work/src"
cp -R -- "$root/scripts" "$root/testdata" "$work/"
cp -R -- "$root/src/bin" "$work/src/"
cd -- "$work"

# build SOURCE EXECUTABLE
build() { nice "${RUSTC:-rustc}" -O --edition 2021 "$1" -o "$2" > build.log 2>&1; }

# judged PROGRAM EXECUTABLE: runs the test data until a verdict is bad, which ends it with the pipe; then fails,
# with that verdict in $shown
judged() {
  local status=0
  shown=$(./scripts/check.sh "$1" "$2" 2>&1 | tee check.log |
    sed -nE "/^(WA|RE|TLE|MLE) +$1[/:] *([^:]*).*/{s//\1 \2/p;q;}") || status=$?
  [[ -z $shown ]] || return 1
  ((status == 0)) || { cat -- check.log >&2 && stop 'check.sh failed without a verdict'; }
}

# stressed PROGRAM EXECUTABLE: the same with random boards
stressed() {
  local status=0
  nice ./scripts/stress.sh "$1" "$2" --count "$COUNT" --seed 1 > stress.log 2>&1 || status=$?
  ((status != 0)) || return 0
  shown=$(sed -nE 's/^unshrunk \((.*)\): .* --seed ([0-9]+) .*/stress.sh, seed \2: \1/p
    s/^no single test fails.*/stress.sh: several tests in one input/p' stress.log)
  [[ -n $shown ]] || { cat -- stress.log >&2 && stop 'stress.sh failed without a disagreement'; }
  return 1
}

# unchanged TEST PROGRAM: the program as it is must pass the test, or what a bug does there shows nothing
unchanged() {
  [[ ! -e $2.$1 ]] || return 0
  [[ -x $2 ]] || build "src/bin/$2.rs" "./$2" || { cat build.log >&2 && stop "src/bin/$2.rs cannot be built"; }
  "$1" "$2" "./$2" || stop "$2 itself fails: $shown"
  touch -- "$2.$1"
}

# tell WORD BUG REMARK
tell() { printf '%-8s  %-8s  %-35s  %s\n' "$1" "$program" "$2" "$3"; }

# hunt BUG: puts it in, and tells what became of it
hunt() {
  local shown=''
  if ! awk -v program="$program" -v bug="$1" -f "$APPLY" "$LIST" "src/bin/$program.rs" > mutant.rs 2> build.log ||
    ! build mutant.rs ./mutant; then
    failed=$((failed + 1))
    tell BAD "$1" 'the list is wrong:'
    sed 's/^/    /' build.log
    return
  fi
  unchanged judged "$program"
  if ! judged "$program" ./mutant || { unchanged stressed "$program" && ! stressed "$program" ./mutant; }; then
    passed=$((passed + 1))
    tell killed "$1" "$shown"
  else
    failed=$((failed + 1))
    tell SURVIVED "$1" "all test data and $COUNT random boards"
  fi
}

bugs=$(awk '/^## / { program = $2 } /^### / { print program, $2 }' "$LIST")
while read -r program bug; do
  # shellcheck disable=SC2053  # PATTERN is a pattern
  [[ $program == "${1:-$program}" && $bug == ${2:-*} ]] || continue
  hunt "$bug" < /dev/null
done <<< "$bugs"
((passed + failed > 0)) || stop "no bug to try: ${*:-the list is empty}"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$((failed > 0))"
