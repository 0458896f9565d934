#!/usr/bin/env bash
# leetcode.sh - prints what to paste into LeetCode's Rust box for problem 529, Minesweeper, cut out
# of src/bin/reveal.rs between its two marker comments; or tests just that.
#
# Usage: ./scripts/leetcode.sh [--test]
#   --test  builds the paste as LeetCode does, between its own `struct Solution` and a main that
#           reads a case and calls update_board, in editions 2021 and 2024, with no warning but
#           unused ones; then check.sh judges each build by all test data of reveal that is well-formed
#
# Environment: RUSTC  the compiler (rustc); and what check.sh takes
#
# Exit status: 0 printed or all passed, 1 something failed, 2 wrong usage, no paste, no build.
set -euo pipefail
shopt -s nullglob
readonly FIRST='// ===== leetcode: what its Rust box takes =====' LAST='// ===== end of leetcode ====='
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

stop() {
  printf 'leetcode.sh: %s\n' "$1" >&2
  exit 2
}

# The lines between the markers, blank ones at either end left out; fails unless each marker stands
# there once, in order, and something between them.
cut_paste() {
  awk -v first="$FIRST" -v last="$LAST" '
    $0 == last && state++ != 1 { exit 1 }
    state == 1 && NF { for (; blank; blank--) print ""; print; lines++ }
    state == 1 && !NF && lines { blank++ }
    $0 == first && state++ { exit 1 }
    END { exit state != 2 || !lines }' "$root/src/bin/reveal.rs" || (($? == 141)) || # its reader has gone away
    stop 'no paste between the markers in src/bin/reveal.rs'
}

# LeetCode's side: a main that reads a case in any form, in its own simple way.
harness() {
  cat << 'RUST'

struct Solution;

/// Takes the next number, whatever stands before it.
fn number<T: std::str::FromStr>(text: &mut &str) -> T {
    let (_, rest) = text.split_at(text.find(|c: char| c.is_ascii_digit()).expect("a number"));
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    *text = &rest[end..];
    rest[..end].parse().ok().expect("a small number")
}

/// Takes rows, columns and so many cells, between them any blanks.
fn plain_board(text: &mut &str) -> Vec<Vec<char>> {
    let (rows, columns): (usize, usize) = (number(text), number(text));
    let cells = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let cells: Vec<_> = cells.take(rows * columns).collect();
    *text = &text[cells.last().expect("a cell").0 + 1..];
    cells.chunks(columns).map(|row| row.iter().map(|&(_, c)| c).collect()).collect()
}

/// Takes what comes up to the bracket that closes the first one: each opened within begins a row.
fn quoted_board(text: &mut &str) -> Vec<Vec<char>> {
    let mut depth = 0;
    let end = text.find(|c: char| {
        depth += i32::from("[{".contains(c)) - i32::from("]}".contains(c));
        "]}".contains(c) && depth == 0
    });
    let (board, rest) = text.split_at(end.expect("the board's end"));
    *text = rest;
    let rows = board.split(['[', '{']).skip(2);
    rows.map(|row| row.chars().filter(|c| c.is_alphanumeric()).collect()).collect()
}

fn main() {
    let mut input = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut input).expect("input");
    let text = String::from_utf8_lossy(&input);
    let first = text.find(|c: char| "[{".contains(c) || c.is_ascii_digit()).expect("a board");
    let mut rest = &text[first..];
    let quoted = rest.starts_with(['[', '{']);
    let board = if quoted { quoted_board(&mut rest) } else { plain_board(&mut rest) };
    let click = vec![number(&mut rest), number(&mut rest)];
    let mut rows = Vec::new();
    for row in Solution::update_board(board, click) {
        let cells: Vec<_> = row.iter().map(char::to_string).collect();
        rows.push(cells.join(if quoted { "\",\"" } else { "" }));
    }
    let (open, between, close) = if quoted { ("[[\"", "\"],[\"", "\"]]") } else { ("", "\n", "") };
    println!("{}{}{}", open, rows.join(between), close);
}
RUST
}

# build EDITION: the paste in its harness; any word of the compiler is a failure
build() {
  local log=$work/build.log flags=(--edition "$1" -O -D warnings -A unused)
  if ! "${RUSTC:-rustc}" "${flags[@]}" "$work/paste.rs" -o "$work/paste-$1" > "$log" 2>&1 || [[ -s $log ]]; then
    cat -- "$log" >&2 && stop "the paste does not build in edition $1"
  fi
}

case "$#${1-}" in
  0) cut_paste && exit ;;
  1-h | 1--help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit ;;
  1--test) ;;
  *) stop 'unknown arguments (-h tells more)' ;;
esac
work=$root/target/leetcode # the builds stay, so that what check.sh says about a failure replays it
mkdir -p -- "$work"
cut_paste > "$work/paste.rs"
harness >> "$work/paste.rs"
passed=0 failed=0
for edition in 2021 2024; do
  build "$edition"
  status=0
  "$root/scripts/check.sh" reveal "$work/paste-$edition" > "$work/judged" || status=$?
  sed '$d' -- "$work/judged"
  [[ $(tail -n 1 -- "$work/judged") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || stop 'check.sh came to no end'
  passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  ((status == 0 || BASH_REMATCH[2] > 0)) || failed=$((failed + 1)) # a failure that was not counted
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((passed > 0 && failed == 0)) || exit 1
