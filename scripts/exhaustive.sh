#!/usr/bin/env bash
# exhaustive.sh - asks the programs every small board there is.
#
# Usage: ./scripts/exhaustive.sh [--slice] [PROGRAM]...
#   PROGRAM  clues, complete or reveal; without it all three
#   --slice  smaller boards only, with debug assertions and overflow checks: seconds instead of minutes
#
# Environment: THREADS  how many at a time (all processors)
#              RUSTC    the compiler (rustc)
#
# clues: every mine field of every size up to 25 cells gives back the first field with its clues; every
# board of digits up to 6 cells, and every board one clue away from a true one up to 4x4, gives the
# first field or -1. complete: every board up to 6 cells, every 2x4, and every 3x3 with the digits that
# matter. reveal: every board of E and M up to 4x4, every 3x3 of E, M, B and 1, every click.
# exhaustive.rs tells why that leaves nothing out. Each program is called in memory, through its own
# reading and writing: exhaustive.rs is compiled as a module of it.
#
# Exit status: 0 all right, 1 a wrong answer, which is shown, 2 wrong usage or a failed build.
set -euo pipefail
shopt -s nullglob

stop() {
  printf 'exhaustive.sh: %s\n' "$1" >&2
  exit 2
}

extent=all flags=() programs=()
for word in "$@"; do
  case $word in
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;;
    --slice) extent=slice flags=(-C debug-assertions=on -C overflow-checks=on) ;;
    clues | complete | reveal) programs+=("$word") ;;
    *) stop "no such program or option: $word (-h tells more)" ;;
  esac
done
((${#programs[@]} > 0)) || programs=(clues complete reveal)
threads=${THREADS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)}
[[ $threads =~ ^[1-9][0-9]{0,2}$ ]] || stop "THREADS must be a number from 1 to 999, not '$threads'"

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
folder=$root/target/exhaustive
mkdir -p -- "$folder"

# build PROGRAM: the source with its main renamed, this one's main behind it
build() {
  local source=$root/src/bin/$1.rs made=$folder/$1.rs
  [[ $(grep -c '^fn main() {' "$source") == 1 ]] || stop "$source: no plain 'fn main() {' to rename"
  {
    sed 's/^fn main() {/fn main_of_the_program() {/' "$source"
    printf '#[path = "%s"]\nmod exhaustive;\nfn main() {\n    exhaustive::main()\n}\n' "$root/scripts/exhaustive.rs"
  } > "$made"
  "${RUSTC:-rustc}" -O --edition 2021 --cap-lints allow ${flags[@]+"${flags[@]}"} "$made" -o "$folder/$1" ||
    stop "$1 cannot be built"
}

status=0
for program in "${programs[@]}"; do
  build "$program"
  printf '%s\n' "$program"
  "$folder/$program" "$program" "$threads" "$extent" || status=$?
  ((status == 0)) || break
done
exit "$((status <= 2 ? status : 2))"
