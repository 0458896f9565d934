#!/usr/bin/env bash
# crosscheck.sh - complete against a SAT solver, with each of its stages forced or switched off.
#
# Usage: ./scripts/crosscheck.sh [COUNT [SEED]]
#   COUNT  how many boards in each setting (20000)
#   SEED   board i is drawn from seed SEED + i; without one it is drawn and told
#
# Small boards end in the first stages, so the later ones would hardly be tried: a setting gives
# constants of complete.rs other values, and stress.sh, which tells how boards are checked, asks
# each setting the same boards. Needs minisat or cadical; without them it says SKIPPED and that is all.
#
# The last line counts the settings. Exit status: 0 all passed or skipped, 1 a disagreement, which is
# shown and saved, 2 wrong usage or a failed build.
set -euo pipefail
shopt -s nullglob

# The values of a setting, each behind --set; the first is the program as it is.
readonly SETTINGS=(
  ''
  'FEW=0'                              # nothing is enumerated: every board reaches the presolve
  'FEW=0 SPRINT=1'                     # matching, local search and relaxation begin early
  'FEW=0 SPRINT=1 LOOKS=0 NEARLY=0'    # the same without matching and relaxation
  'FEW=0 SPRINT=1 PIECE=0'             # the same without local search
  'FEW=0 SPRINT=1 LOOKS=0 PIECE=0 RESTART=3 CLAUSES=4' # learning alone, which always forgets
)

stop() {
  printf 'crosscheck.sh: %s\n' "$1" >&2
  exit 2
}

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
(($# <= 2)) || stop 'too many arguments (-h tells more)'
count=${1:-20000} seed=${2:-$((RANDOM * 32768 + RANDOM))}
[[ $count =~ ^[0-9]{1,18}$ && $seed =~ ^[0-9]{1,18}$ ]] || stop 'COUNT and SEED are whole numbers'
if ! { command -v minisat || command -v cadical; } > /dev/null; then
  echo 'SKIPPED: neither minisat nor cadical is installed'
  exit
fi
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

passed=0 failed=0
for setting in "${SETTINGS[@]}"; do
  options=() status=0
  for value in $setting; do options+=(--set "$value"); done
  printf '\n%s\n' "${setting:-as it is}"
  ./scripts/stress.sh complete ${options[@]+"${options[@]}"} --count "$count" --seed "$seed" || status=$?
  ((status <= 1)) || exit 2
  passed=$((passed + (status == 0))) failed=$((failed + (status == 1)))
done
printf '\n%d passed, %d failed\n' "$passed" "$failed"
exit "$((failed > 0))"
