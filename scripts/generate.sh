#!/usr/bin/env bash
# generate.sh - boards for the three programs, on standard output.
#
# Usage:
#   ./scripts/generate.sh clues ROWS COLUMNS DENSITY [SEED] [--spoil K]
#       The clues of a random field. DENSITY 0..100: 0 no mine, 100 all mines, else each cell is a
#       mine with that chance. --spoil K: K clues moved by one.
#   ./scripts/generate.sh complete TESTS ROWS COLUMNS DENSITY HIDDEN [SEED] [--unknown K] [--spoil K]
#       True boards, each cell turned to '?' with a chance of HIDDEN percent. --unknown K: at most K
#       '?' in a test. --spoil K: K digits of each test moved by one.
#   ./scripts/generate.sh reveal ROWS COLUMNS DENSITY [SEED] [--plain]
#       A board in mid-play and a click. --plain: 'rows columns', glued rows and the click, not JSON.
#   ./scripts/generate.sh hard KIND SIZE [SEED] [--spoil K]
#       A board that is hard for its size; generate.rs says why each is. For complete: lattice,
#       parity, even-parity, threes, even-threes, strip, even-strip, pattern-a, pattern-c, pattern-d,
#       planted-mines, mutilated, two-out, holed, dumbbell, bridged, hybrid, bridged-hybrid,
#       odd-matching, degrees; --spoil K: K of its digits moved by one. For clues: checkerboard,
#       chain, broken-chain. For reveal: serpentine.
#   ./scripts/generate.sh count < FIELD
#       The clues of a field as clues prints it ('x' and '_').
#
# The same SEED gives the same bytes on every machine; without one it is drawn and told on standard
# error. Example: ./scripts/generate.sh clues 7 7 15 | cargo run --release --bin clues
#
# Exit status: 0 done, 1 the output cannot be written, 2 wrong usage or a failed build.
set -euo pipefail
shopt -s nullglob

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}"; }

case ${1-} in
  -h | --help) usage && exit ;;
  '') usage >&2 && exit 2 ;;
esac
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
source_file=$root/scripts/generate.rs folder=$root/target/generate
program=$folder/generate

# Built when the source is newer, under another name first: two runs at once do no harm.
if [[ ! -x $program || $source_file -nt $program ]]; then
  mkdir -p -- "$folder"
  if ! "${RUSTC:-rustc}" -O --edition 2021 "$source_file" -o "$program.$$"; then
    printf 'generate.sh: generate.rs cannot be built\n' >&2
    exit 2
  fi
  mv -f -- "$program.$$" "$program"
fi
exec "$program" "$@"
