#!/usr/bin/env bash
# stress.sh - random boards from families that hit the hard corners, against the oracle.
#
# Usage: ./scripts/stress.sh PROGRAM [EXECUTABLE] [OPTION]...
#   PROGRAM     clues, complete or reveal
#   EXECUTABLE  your own executable or a simple command: ./a.out, "python3 my.py"; without it this
#               project's own program, built here with overflow checks and debug assertions
#   --count N   how many boards (10000)
#   --seed S    board i is drawn from seed S + i; without one S is drawn and told
#   --side K    the largest side of the small boards (6; reveal 9)
#   --family F  only boards of families whose names, as the last lines show them, begin so; 'hard':
#               those of complete that are built to be hard
#   --set NAME=VALUE  builds this project's own program with another whole number in its one line
#               'const NAME: TYPE = ...;', to force a stage that small boards would not reach, or to
#               switch one off: with FEW=0 complete enumerates nothing. May be repeated
#
# Environment: STRICT=1  EXECUTABLE is a build of this project's own program: the first mine field
#                        is asked for, and nothing on standard error
#              RUSTC     the compiler (rustc)
#              SOLVER    minisat or cadical (what is installed, minisat first)
#
# Small boards are held against oracle.rs. On larger ones a mine field is counted again, a planted one
# answers by itself, and the solver, if any, says whether a board has a completion; what it finds is
# counted again too. Boards that nothing could check are told and not counted.
#
# On a disagreement the board is shrunk while the two still disagree, shown with expected and got,
# and saved in target/stress/, with the command that replays it.
#
# Exit status: 0 no disagreement, 1 a disagreement or nothing checked, 2 wrong usage or a failed build.
set -euo pipefail
shopt -s nullglob

readonly RUSTC=${RUSTC:-rustc}

stop() {
  printf 'stress.sh: %s\n' "$1" >&2
  exit 2
}

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}"; }

# number OPTION VALUE: checks the number behind an option; decimal, also with leading zeros
number() {
  [[ ${2-} =~ ^[0-9]{1,18}$ ]] || stop "expected a whole number behind $1, found '${2-}'"
  number=$((10#$2))
}

words=() count=10000 seed='' side='' family='' settings=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit ;;
    --count) number "$@" && count=$number && shift 2 ;;
    --seed) number "$@" && seed=$number && shift 2 ;;
    --side) number "$@" && side=$number && shift 2 ;;
    --family | --set)
      (($# > 1)) || stop "a name is missing behind $1"
      if [[ $1 == --set ]]; then settings+=("$2"); else family=$2; fi
      shift 2
      ;;
    -*) stop "no such option: $1 (-h tells more)" ;;
    *) words+=("$1") && shift ;;
  esac
done
((${#words[@]} >= 1)) || { usage >&2 && exit 2; }
((${#words[@]} <= 2)) || stop "too many arguments: ${words[2]}"
program=${words[0]} command=${words[1]-} strict=${STRICT:-0}
[[ -z $command ]] || ((${#settings[@]} == 0)) || stop '--set goes without an EXECUTABLE'
case $program in
  clues | complete) side=${side:-6} ;;
  reveal) side=${side:-9} ;;
  *) stop "no such program: $program (clues, complete or reveal)" ;;
esac
((count > 0 && side > 0 && side <= 1000)) || stop 'a count is at least 1, a side of small boards 1 to 1000'
[[ -n $seed ]] || { seed=$((RANDOM * 32768 + RANDOM)) && printf 'stress.sh: seed %d\n' "$seed" >&2; }
[[ -z $command || -x $command ]] || command -v -- "${command%% *}" > /dev/null || stop "cannot run: $command"

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
folder=$root/target/stress
if [[ $PWD == "$root" ]]; then folder=target/stress; fi
mkdir -p -- "$folder"
scratch=$(mktemp -d) && trap 'rm -rf -- "$scratch"' EXIT

# build SOURCE NAME [FLAG]...: replaces only when done
build() {
  "$RUSTC" -O --edition 2021 "${@:3}" "$1" -o "$scratch/$2" || stop "$2 cannot be built"
  mv -f -- "$scratch/$2" "$folder/$2"
}

# set_constant FILE NAME=VALUE: in the one line that defines it
set_constant() {
  [[ $2 =~ ^([A-Z][A-Z0-9_]*)=([0-9]{1,18})$ ]] || stop "expected NAME=NUMBER behind --set, found '$2'"
  local line="^(const ${BASH_REMATCH[1]}: [iu](8|16|32|64|128|size) = )[^;]*;" lines
  lines=$(grep -cE "$line" "$1" || true)
  ((lines == 1)) || stop "--set $2: $lines lines of $program.rs, not 1, are 'const ${BASH_REMATCH[1]}: TYPE = ...;'"
  sed -E "s/$line/\\1$((10#${BASH_REMATCH[2]}));/" "$1" > "$1.set" && mv -- "$1.set" "$1"
}

if [[ -z $command ]]; then
  own=$scratch/$program.rs name=$program flags=(-C debug-assertions=on -C overflow-checks=on)
  cp -- "$root/src/bin/$program.rs" "$own"
  for setting in ${settings[@]+"${settings[@]}"}; do
    set_constant "$own" "$setting"
    name+=-$setting flags+=(-A warnings)
  done
  build "$own" "$name" "${flags[@]}"
  command=$folder/$name strict=1
fi
driver=stress-$(cat -- "$root"/scripts/{,stress/}*.rs | cksum | tr ' ' -)
[[ -x $folder/$driver ]] || build "$root/scripts/stress/main.rs" "$driver"

solver=none
for name in cadical minisat; do
  if [[ ${SOLVER:-$name} == "$name" ]] && command -v -- "$name" > /dev/null; then solver=$name; fi
done
[[ -z ${SOLVER-} || $SOLVER == "$solver" ]] || stop "SOLVER is minisat or cadical, installed; not '$SOLVER'"
if [[ -t 2 ]]; then export PROGRESS=1; fi
status=0
"$folder/$driver" "$program" "$command" "$count" "$seed" "$side" "$family" "$strict" "$solver" "$scratch" \
  "$folder" || status=$?
exit "$((status <= 2 ? status : 2))"
