#!/usr/bin/env bash
# check-selftest.sh - proves that check.sh can fail: gives it wrong programs, wrong test data and
# wrong sources, in a copy of the project, and compares its verdicts with the ones that are due.
#
# Usage: ./scripts/check-selftest.sh
#
# Exit status: 0 every verdict as due, 1 some other, 2 wrong usage.
# shellcheck disable=SC2016  # the programs' own shells expand what stands in single quotes
set -euo pipefail
shopt -s nullglob

passed=0 failed=0
case ${1-} in -h | --help) sed -n '2,/^# Exit/{s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
(($# == 0)) || { echo 'check-selftest.sh: takes no arguments' >&2 && exit 2; }
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir -p -- "$work/src" "$work/testdata/clues" "$work/testdata/reveal"
cp -R -- "$root/scripts" "$work/"
cp -R -- "$root/src/bin" "$work/src/"
cd -- "$work"

# expect NAME STATUS REGEX ARGUMENT...: check.sh must exit so, and say so, and end in its counts
expect() {
  local status=0 said
  ./scripts/check.sh "${@:4}" > said 2> complaints < /dev/null || status=$?
  said=$(cat said complaints)
  if ((status == $2)) && grep -qE -- "$3" <<< "$said" &&
    { ((status == 2)) || [[ $(tail -n 1 said) =~ ^[0-9]+\ passed,\ [0-9]+\ failed$ ]]; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s: status %d, due: %d and a line that matches %s\n%s\n\n' "$1" "$status" "$2" "$3" "$said"
  fi
}

# clues NAME STATUS REGEX COMMAND [PATTERN]: the same for a program in the place of clues
clues() { expect "${@:1:3}" clues "${@:4}"; }

# strictly: the same for one that says it is this project's own
strictly() { STRICT=1 clues "${@:1:4}" "${5-01-*}"; }

# spoil NAME STATUS REGEX FILE SED-EXPRESSION: the project's own reveal with one file changed
spoil() {
  cp -- "$4" kept
  sed -e "$5" kept > "$4"
  expect "${@:1:3}" reveal '' '01-*'
  cp -- kept "$4"
}

file() { printf %b "$2" > "testdata/$1"; }
file reveal/01-sample-mine.in '[["E","M"]]\n[0,1]\n'
file reveal/01-sample-mine.out '[["E","X"]]\n'
file clues/01-sample-four.in '2 2\n1 1\n1 1\n'
file clues/01-sample-four.out 'x _\n_ _\n'
file clues/05-no-two.in '1 1\n2\n'
file clues/05-no-two.out '-1\n'
file clues/09-bad-star.in '1 1\n*\n'
file clues/09-bad-star.err "clues: line 2, column 1: expected a clue, found '*'\n"
printf '#!/bin/sh\nexec rustc "$@" -C opt-level=0\n' > quick-rustc
printf '#!/bin/sh\nread -r rows rest\ncase $rows in 2) echo "x _\n_ _" ;; *) echo -1 ;; esac\n' > right
chmod +x right quick-rustc

export TIME_LIMIT=0.7 # somebody else's programs
clues 'a right program' 0 '^2 passed, 0 failed' ./right
clues 'a right command' 0 '^2 passed, 0 failed' 'sh right'
clues 'noise on standard error' 0 '^2 passed, 0 failed' './right; echo noise >&2'
clues 'a pattern' 0 '^1 passed, 0 failed' ./right '0[2-6]-*'
clues 'a pattern of nothing' 1 'no case to run' ./right '06-*'
clues 'no message' 1 '^RE .*star: exit status 0 instead of 1' ./right '09-*'
clues 'another message' 1 '^WA .*star: standard error differs' 'echo no >&2; exit 1' '09-*'
clues 'a wrong answer' 1 '^ +x _ +\| x x$' "./right | sed 's/x _/x x/'"
clues 'another right field' 0 '^AC .*four: another field' "./right | sed 's/x _/_ x/'"
clues 'a field for none' 1 '^WA .*two' "./right | sed 's/-1/x/'"
clues 'a missing line end' 1 '_ _ +\| _ _\(no line end\)' 'printf %s "$(./right)"'
clues 'a byte too many' 1 '\(nothing more\) \| \(an empty line\)' './right; echo'
clues 'a blank too many' 1 '^ +x _ +\| x _·' "./right | sed 's/\$/ /'"
clues 'silence' 1 '^WA .*four' true
clues 'a wrong status' 1 '^RE .*four: exit status 3 instead of 0' './right; exit 3'
clues 'a crash' 1 '^RE .*four: killed by signal 11' './right; kill -SEGV $$'
clues 'a hang' 1 '^TLE .*four' 'sleep 98765'
clues 'a deaf hang' 1 '^TLE .*four' "trap '' TERM INT HUP; while :; do sleep 98765; done"
clues 'a busy hang' 1 '^TLE .*four' 'while :; do :; done'
clues 'children that stay' 1 '^TLE .*four' 'for i in 1 2 3 4 5 6 7; do sleep 98765 & done; wait'
clues 'children left behind' 0 '^2 passed' 'sleep 98765 & ./right'
clues 'a flood' 1 '^WA .*wrote more than' yes
MEMORY_LIMIT=24 clues 'a memory hog' 1 '^MLE .*four' 'x=$(head -c 60000000 /dev/zero | tr "\0" x)'
MEMORY_LIMIT=24 clues 'a frugal program' 0 '^2 passed' ./right
TIME_LIMIT=soon clues 'no such time' 2 'TIME_LIMIT' ./right
clues 'no such command' 2 'cannot run' ./wrong
expect 'no such program' 2 'no such program' mines
if grep -ls '9876[5]' /proc/[0-9]*/cmdline; then
  failed=$((failed + 1))
  echo 'FAILED: the processes above were left behind'
fi

for name in 02-edge-x.in 02-edge-x.out 02-edge-x.err 01-sample-four.err 09-bad-x.in x; do # test data
  touch "testdata/clues/$name"
  clues "an orphan, $name" 1 '^BAD testdata/clues/' ./right
  rm "testdata/clues/$name"
done

strictly 'a strictly right program' 0 '^1 passed, 0 failed' './right'
strictly 'noise' 1 '^RE .*four: standard error differs' './right; echo noise >&2'
strictly 'a later field' 1 '^WA .*four' "./right | sed 's/x _/_ x/'"
strictly 'an answer at the end of file' 1 '^TLE .*pipe stays open' 'x=$(cat); echo "$x" | ./right'
strictly '1 MiB of stack' 0 '^1 passed' 'ulimit -s | grep -qx 1024 && ./right'
STRICT=1 clues 'no manners' 1 '^TLE +clues: usage on -h' ./right

export TIME_LIMIT=5 RUSTC=./quick-rustc # this project's own reveal, first as it is
spoil 'nothing' 0 '^7 passed, 0 failed' src/bin/reveal.rs ''
spoil 'a warning' 2 'never used' src/bin/reveal.rs '$a fn unused() {}'
spoil 'a drifting console' 1 '^BAD src/bin/complete.rs: its con' src/bin/complete.rs '/HUGE: i64/s/_000;/_001;/'
spoil 'no end of the console' 1 '^BAD src/bin/clues.rs: its con' src/bin/clues.rs '/^\/\/ ===== end/d'
spoil 'a large source' 1 '^BAD src/bin/clues.rs: more' src/bin/clues.rs "\$a // $(printf %050000d 0)"
spoil 'a word of its own' 1 '^RE .*standard error differs' src/bin/reveal.rs 's/^fn main() {/&eprintln!("so");/'
spoil 'a wrong answer' 1 '^WA .*mine: the answer differs' testdata/reveal/01-sample-mine.out 's/X/M/'
spoil 'another opinion' 1 '^WA .*mine: the test data is in doubt' scripts/oracle.rs "s/= 'X'/= 'Y'/"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$((failed > 0))"
