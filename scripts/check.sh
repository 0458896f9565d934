#!/usr/bin/env bash
# check.sh - the local judge: runs the programs, or yours, over the test data.
#
# Usage: ./scripts/check.sh [PROGRAM [COMMAND [PATTERN]]]
#   PROGRAM  clues, complete or reveal; without it all three
#   COMMAND  your own executable or command: ./a.out, "python3 my.py"; '' for this project's own
#   PATTERN  picks cases by name, as the shell does: '06-*'
#
# Environment: TIME_LIMIT    seconds a case, wall time (2)
#              MEMORY_LIMIT  MiB a case (256): the peak resident memory, child processes included, as
#                            /proc tells it every millisecond; without /proc "not measured", never MLE
#              VERBOSE=1     tells every case, with its time and memory
#              STRICT=1      COMMAND is a build of this project's own program: judge it as that
#              RUSTC         the compiler (rustc)
#
# Verdicts: AC; WA, a wrong answer; RE, a wrong exit status, a signal, or (this project's own) a word
# on standard error; TLE and MLE, a limit; BAD, the test data or a source breaks a rule. The status
# is looked at first, then the answer, byte for byte. NN-name.in has its answer in NN-name.out. A
# 09-bad-name.in is malformed: status 1, the message as in 09-bad-name.err, and on standard output
# nothing, or what stands in 09-bad-name.out: answers due before the error.
#
# This project's own programs are built each file alone, as judges build it, get 1 MiB of stack, must
# also answer through a pipe that stays open, and oracle.rs confirms each answer within its reach.
# For yours another mine field that satisfies every clue is AC (and marked), and 09-bad cases are
# left out unless PATTERN picks them.
#
# Exit status: 0 all passed, 1 something failed, 2 wrong usage or a build with errors or warnings.
set -euo pipefail
shopt -s nullglob

readonly PROGRAMS=(clues complete reveal) MOST_BYTES=50000
readonly FIRST='// ===== console: the same lines in all three programs ====='
readonly LAST='// ===== end of console ====='
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
passed=0 failed=0 options=()

stop() {
  printf 'check.sh: %s\n' "$1" >&2
  exit 2
}

defect() {
  failed=$((failed + 1))
  printf 'BAD %s\n' "$1"
}

# build SOURCE NAME [FLAG]...: any word of the compiler is a failure; replaces only when done
build() {
  local made=$scratch/$2 log=$scratch/$2.log
  if ! "${RUSTC:-rustc}" --edition 2021 "${@:3}" "$root/$1" -o "$made" 2> "$log" || [[ -s $log ]]; then
    cat -- "$log" >&2
    return 1
  fi
  mv -f -- "$made" "$bin/$2"
}

# Builds at the same time whatever is needed.
build_all() {
  local job jobs=() program
  [[ -x $judge ]] || { build scripts/judge/main.rs "${judge##*/}" & jobs+=($!); }
  if [[ -z $command ]]; then
    build scripts/oracle.rs oracle -O & jobs+=($!)
    for program in "${programs[@]}"; do
      build "src/bin/$program.rs" "$program" -O & jobs+=($!)
    done
  fi
  for job in ${jobs[@]+"${jobs[@]}"}; do wait "$job" || return 1; done
}

# console PROGRAM: prints the shared block; fails unless each marker stands there once, in order
console() {
  awk -v first="$FIRST" -v last="$LAST" '
    $0 == first && state++ { exit 1 }
    state == 1
    $0 == last && state++ != 1 { exit 1 }
    END { exit state != 2 }' "$root/src/bin/$1.rs"
}

is_shared() {
  console clues > "$scratch/block" && console "$1" > "$scratch/other" && diff "$scratch/block" "$scratch/other"
}

is_small() { (($(wc -c < "$root/src/bin/$1.rs") <= MOST_BYTES)); }

case ${1-} in -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;; esac
(($# <= 3)) || stop 'too many arguments (-h tells more)'
programs=("${PROGRAMS[@]}") command=${2-}
if (($# > 0)); then
  [[ " ${PROGRAMS[*]} " == *" $1 "* ]] || stop "no such program: $1 (clues, complete or reveal)"
  programs=("$1")
fi
word=${command%%[[:space:];&|<>()]*}
[[ -z $word || $word == *=* || -f $command && -x $command ]] || command -v -- "$word" > /dev/null ||
  stop "cannot run: $command"
command -v -- "${RUSTC:-rustc}" > /dev/null || stop 'no rustc: the judge is built with it'

data=$root/testdata bin=$root/target/check
if [[ $PWD == "$root" ]]; then data=testdata bin=target/check; fi
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
mkdir -p -- "$bin" "$scratch/runs"
judge=$bin/judge-$(cat -- "$root"/scripts/judge/*.rs | cksum | tr ' ' -)
build_all || stop 'a build has failed'
if [[ -z $command ]]; then
  for program in "${PROGRAMS[@]}"; do
    is_small "$program" || defect "src/bin/$program.rs: more than $MOST_BYTES bytes"
    is_shared "$program" || defect "src/bin/$program.rs: its console block is not that of clues.rs"
  done
  passed=$((2 * ${#PROGRAMS[@]} - failed))
  options+=(--oracle "$bin/oracle")
fi
if [[ -z $command || -n ${STRICT-} ]]; then options+=(--ours) && ulimit -s 1024; fi
if [[ -n ${3-} ]]; then options+=(--pattern "${3%.in}"); fi
if [[ -t 1 && -z ${NO_COLOR-} ]]; then options+=(--color); fi
suites=()
for program in "${programs[@]}"; do suites+=("$program=${command:-$bin/$program}"); done
status=0
"$judge" "${options[@]}" --passed "$passed" --failed "$failed" "$data" "$scratch/runs" "${suites[@]}" || status=$?
exit "$((status <= 2 ? status : 2))"
