#!/usr/bin/env bash
# bench.sh - how fast the programs are: against md5sum on the same file, in the same run.
#
# Usage: ./scripts/bench.sh [PROGRAM [COMMAND [PATTERN]]]
#   PROGRAM  clues, complete or reveal; without it all three
#   COMMAND  another executable, or a simple command, timed beside: ./a.out, "python3 my.py"; '' for none
#   PATTERN  picks boards by name, as the shell does: '6000*', 'growth*'
#
# Environment: RUNS (7) of each command on each board; LONGEST (60), the seconds that a command may take, where
# there is /proc to watch it; RUSTC (rustc), the compiler
#
# Columns: the input in MB; the median seconds; MB and million cells a second; seconds a million cells, flat
# if the growth boards (one kind at four sizes) take linear time; the time as a multiple of md5sum's; the peak
# of resident memory in MB, as /proc tells it. Then COMMAND's seconds, multiple of md5sum's and peak.
#
# The commands take turns, md5sum first, and write to /dev/null; hyperfine measures where it is present, else
# the shell. Before that each runs once unmeasured and its answer is looked at: clues are counted back, tests
# that can be completed must be YES, openings must have opened. (In earnest it is check.sh that judges.)
# The boards, bench/boards.txt, are made one at a time, 128 MB at most, in a folder that is removed.
#
# Exit status: 0 all measured, 1 a program failed or its answer is wrong, 2 wrong usage or a failed build.
set -euo pipefail
shopt -s nullglob
export LC_ALL=C TIMEFORMAT=%R

stop() { printf 'bench.sh: %s\n' "$1" >&2 && exit 2; }

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
programs=(clues complete reveal) other=${2-} pattern=${3:-*} runs=${RUNS:-7} longest=${LONGEST:-60} failed=0
(($# <= 3)) || stop 'too many arguments (-h tells more)'
[[ $runs:$longest =~ ^[1-9][0-9]{0,3}:[1-9][0-9]{0,4}$ ]] || stop 'RUNS and LONGEST are whole numbers from 1'
if (($# > 0)); then programs=("$1"); fi
[[ ' clues complete reveal ' == *" ${programs[0]} "* ]] || stop "no such program: $1 (clues, complete or reveal)"
[[ -z $other ]] || command -v -- "${other%%[[:space:]]*}" > /dev/null || stop "cannot run: $other"
command -v -- md5sum > /dev/null || stop 'no md5sum: it is the yardstick'
if command -v -- hyperfine > /dev/null; then clock=hyperfine; else clock='the shell'; fi
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d) && trap 'rm -rf -- "$scratch"' EXIT
board=$scratch/board answer=$scratch/answer

generate() { "$here/generate.sh" "$@"; }

# make KIND ARGUMENT...: a board, of a kind that generate.sh does not make by itself or of one that it does
make() {
  case $1 in
    first-cell) generate clues "${@:2}" | awk 'NR == 2 || NR == 3 { $1 += 2; $2 += 2 } 1' ;; # 2 or 3 mines there
    last-cell) generate clues "${@:2}" | awk -v rows="$2" 'NR >= rows { $NF += 2; $(NF - 1) += 2 } 1' ;;
    untouched) generate reveal "${@:2}" | head -n 1 | tr 'B1-8' '[E*]' && echo '[0,0]' ;;
    in-blocks) # every cell of a smaller board 8 by 8 times: scattered mines would leave little to open
      generate reveal "${@:2}" --plain | sed '1d;$d;s/[B1-8]/E/g;s/./&&&&&&&&/g;p;p;p;p;p;p;p' |
        sed 's/./,"&"/g;s/^,/,[/;s/$/]/;1s/^,/[/' | tr -d '\n' && printf ']\n[0,0]\n' ;;
    *) generate "$@" ;;
  esac > "$board"
}

# is_right: whether the answer looks as it must
is_right() {
  case $program-$name in
    clues-*wrong) [[ $(head -c 3 -- "$answer") == -1 ]] ;;
    clues-*) generate count < "$answer" 2> /dev/null | cmp -s - "$board" ;;
    complete-*) [[ $(uniq -c < "$answer") =~ ^\ *$(head -n 1 -- "$board")\ YES$ ]] ;;
    reveal-*) (($(tr -cd E < "$answer" | wc -c) * 100 <= cells)) ;; # but for what mines wall in
  esac
}

# trial COMMAND: one run; adds its peak in KiB to peaks. Fails if the command does, or takes too long.
trial() {
  local process value peak=0 start=$SECONDS
  (eval "exec $1" < "$board" > "$answer" 2> "$scratch/error") & process=$!
  while value=$(awk '/^VmHWM/ { print $2 }' "/proc/$process/status" 2> /dev/null) && [[ -n $value ]]; do
    peak=$value # the last one: the first may be the shell's own
    ((SECONDS - start <= longest)) || kill -KILL "$process" 2> /dev/null
  done
  peaks+=("$peak")
  wait "$process"
}

# turn COMMAND...: runs each once; prints their seconds in a line
turn() {
  local command csv=$scratch/csv input && printf -v input %q "$board"
  if [[ $clock == hyperfine ]]; then
    hyperfine --style none --shell bash --runs 1 --export-csv "$csv" "${@/%/ < $input}" &> "$scratch/log" || return 1
    awk -F, 'NR > 1 { printf "%s ", $(NF - 4) } END { print "" }' "$csv" # the median; commas may stand before
  else
    for command; do { time eval "$command" < "$board" &> /dev/null; } 2>&1 || exit 1; done | paste -s -d ' ' -
  fi
}

# measure COMMAND...: the line of one board; fails if a command does, or its answer is wrong
measure() {
  local peaks=() i
  printf '%-9s%-27s' "$program" "$name"
  for tried; do
    if ! trial "$tried" 2> /dev/null || ! is_right; then return 1; fi
  done
  for ((i = 0; i < runs; i++)); do turn md5sum "$@" || exit 1; done |
    awk -v cells="$cells" -v bytes="$(wc -c < "$board")" -v peaks="${peaks[*]}" -f "$here/bench/figures.awk"
}

for program in "${programs[@]}"; do
  "${RUSTC:-rustc}" -O --edition 2021 -o "$scratch/$program" "$here/../src/bin/$program.rs" || stop 'a build has failed'
done
machine=$(grep -m 1 '^model name' /proc/cpuinfo 2> /dev/null || uname -sm)
printf 'Medians of %d by %s on %s\n\n' "$runs" "$clock" "${machine##*: }"
printf '%-9s%-27s%7s%9s%7s%9s%10s%9s%9s' program board MB seconds MB/s Mcells/s s/Mcell x-md5sum peak-MB
printf '%s\n' "${other:+     COMMAND x-md5sum  peak-MB}"
while read -r -u 3 program cells name maker; do
  # shellcheck disable=SC2053 # the pattern is meant as one
  [[ " ${programs[*]} " == *" $program "* && $name == $pattern ]] || continue
  read -ra words <<< "$maker"
  make "${words[@]}" || stop "$name cannot be made"
  printf -v own %q "$scratch/$program"
  measure "$own" ${other:+"$other"} && continue
  failed=$((failed + 1))
  printf '  failed, too slow or wrong: %s\n' "$tried"
  [[ $tried == "$own" ]] || measure "$own"
done 3< "$here/bench/boards.txt"
[[ -e $board ]] || stop "no board of that name: $pattern"
exit "$((failed > 0))"
