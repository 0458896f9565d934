//! Every small board there is, asked of a program in memory.
//!
//! *Usage*: `exhaustive.sh` compiles this file as a module of the program under test, whose `answer` it calls, and
//! runs it as `exhaustive PROGRAM THREADS all|slice`.
//!
//! *Why nothing is left out*: see the banner of each program below.
//!
//! *Exit status*: 0 all answers right, 1 a wrong one, which is shown, 2 usage.

use super::{answer, Console};
use std::collections::{HashMap, HashSet};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::exit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[allow(dead_code)] // its own main and the other problems
#[path = "oracle.rs"]
mod oracle;

/// Tests of `complete` in one input.
const BATCH: usize = 10_000;

pub fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match (
        &words[..],
        words.get(1).and_then(|threads| threads.parse().ok()),
    ) {
        (["clues", _, extent], Some(threads)) => clues(*extent == "all", threads),
        (["complete", _, extent], Some(threads)) => complete(*extent == "all", threads),
        (["reveal", _, extent], Some(threads)) => reveal(*extent == "all", threads),
        _ => {
            eprintln!("exhaustive: see exhaustive.sh -h");
            exit(2)
        }
    }
}

/// The program's answer, whole; a failure or a panic ends everything.
fn ask<'a>(input: &[u8], output: &'a mut Vec<u8>) -> &'a [u8] {
    output.clear();
    let (mut reader, writer) = (input, &mut *output);
    let call = AssertUnwindSafe(|| answer(&mut Console::new(&mut reader, writer)).is_ok());
    if !matches!(catch_unwind(call), Ok(true)) {
        wrong(input, b"an answer", b"a failure");
    }
    output
}

fn wrong(input: &[u8], expected: &[u8], got: &[u8]) -> ! {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    println!(
        "{}\nexpected:\n{}\ngot:\n{}",
        text(input),
        text(expected),
        text(got)
    );
    exit(1)
}

fn check(input: &[u8], expected: &[u8], got: &[u8]) {
    if expected != got {
        wrong(input, expected, got);
    }
}

/// Calls `work` with every number below `count`, in blocks, on some threads.
fn spread(count: u64, threads: usize, work: impl Fn(std::ops::Range<u64>) + Sync) {
    const BLOCK: u64 = 1 << 12;
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| loop {
                let first = next.fetch_add(BLOCK, Ordering::Relaxed);
                if first >= count {
                    break;
                }
                work(first..count.min(first + BLOCK));
            });
        }
    });
}

fn tell(count: u64, what: &str) {
    println!("{:>12} {}", count, what);
}

/// All sides with at most `cells` cells.
fn sides(cells: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=cells).flat_map(move |rows| (1..=cells / rows).map(move |columns| (rows, columns)))
}

/// For each cell the cells of its 3×3 block, as a set; the first cell is the highest bit.
fn blocks(rows: usize, columns: usize) -> Vec<u32> {
    let bit = |row: usize, column: usize| 1 << (rows * columns - 1 - row * columns - column);
    let block = |row: usize, column: usize| {
        let near = (row.max(1) - 1..rows.min(row + 2))
            .flat_map(|r| (column.max(1) - 1..columns.min(column + 2)).map(move |c| bit(r, c)));
        near.sum()
    };
    (0..rows * columns)
        .map(|cell| block(cell / columns, cell % columns))
        .collect()
}

// ---------------------------------------------------------------- clues
//
// A field is a number, its first cell the highest bit, so that of two fields the first in row-major order, a mine
// before no mine, is the greater number. For every field F the program is asked for F's clues. If the answer G has
// the same clues, and G >= F, then G is the first of all fields with these clues: each of them asks the same
// question and gets the same G. So no table is needed, and every board that has a field has been asked.
//
// Boards that nobody made: every board of digits of up to six cells, and every true board with one clue changed to
// any other digit. Here the answer is looked up among all fields: the first with these clues, or -1.

fn clues(all: bool, threads: usize) {
    let (cells, strange, near) = if all { (25, 6, 4) } else { (14, 4, 3) };
    let mut fields = 0;
    for (rows, columns) in sides(cells) {
        every_field(rows, columns, threads);
        fields += 1_u64 << (rows * columns);
    }
    tell(
        fields,
        &format!(
            "fields of all sizes up to {} cells: each clue board's first field",
            cells
        ),
    );
    let boards = sides(strange).map(|(rows, columns)| every_clue_board(rows, columns, threads));
    tell(
        boards.sum(),
        &format!("boards of digits of all sizes up to {} cells", strange),
    );
    let sizes = sides(near * near).filter(|&(rows, columns)| rows.max(columns) <= near);
    let boards = sizes.map(|(rows, columns)| every_changed_clue(rows, columns, threads));
    tell(
        boards.sum(),
        &format!("boards one clue away from a true one, up to {0}x{0}", near),
    );
}

fn every_field(rows: usize, columns: usize, threads: usize) {
    let blocks = blocks(rows, columns);
    spread(1 << (rows * columns), threads, |fields| {
        let (mut input, mut output) = (clue_text(rows, columns), Vec::new());
        for field in fields {
            let field = field as u32; // at most 25 cells
            set_clues(&mut input, &blocks, |block| (field & block).count_ones());
            let got = ask(&input, &mut output);
            match field_of(got, columns, blocks.len()) {
                Some(first)
                    if first >= field && blocks.iter().all(|&block| same(block, first, field)) => {}
                _ => wrong(&input, &drawing(field, rows, columns), got),
            }
        }
    });
}

fn same(block: u32, first: u32, second: u32) -> bool {
    (first & block).count_ones() == (second & block).count_ones()
}

fn every_clue_board(rows: usize, columns: usize, threads: usize) -> u64 {
    let firsts = first_fields(rows, columns);
    let boards = 10_u64.pow((rows * columns) as u32);
    spread(boards, threads, |boards| {
        let (mut input, mut output) = (clue_text(rows, columns), Vec::new());
        for board in boards {
            let mut rest = board;
            let clues: Vec<u8> = (0..rows * columns)
                .map(|_| {
                    let clue = (rest % 10) as u8;
                    rest /= 10;
                    clue
                })
                .collect();
            look_up(&clues, &firsts, (rows, columns), &mut input, &mut output);
        }
    });
    boards
}

fn every_changed_clue(rows: usize, columns: usize, threads: usize) -> u64 {
    let firsts = first_fields(rows, columns);
    let truths: Vec<&Vec<u8>> = firsts.keys().collect();
    spread(truths.len() as u64, threads, |indices| {
        let (mut input, mut output) = (clue_text(rows, columns), Vec::new());
        for index in indices {
            let mut clues = truths[index as usize].clone();
            for cell in 0..rows * columns {
                let truth = clues[cell];
                for other in (0..10).filter(|&other| other != truth) {
                    clues[cell] = other;
                    look_up(&clues, &firsts, (rows, columns), &mut input, &mut output);
                }
                clues[cell] = truth;
            }
        }
    });
    (truths.len() * rows * columns * 9) as u64
}

/// Asks for the field of these clues and compares with the first of all fields that have them.
fn look_up(
    clues: &[u8],
    firsts: &HashMap<Vec<u8>, u32>,
    (rows, columns): (usize, usize),
    input: &mut [u8],
    output: &mut Vec<u8>,
) {
    let mut next = clues.iter();
    set_clues(input, clues, |_| {
        next.next().map_or(0, |&clue| u32::from(clue))
    });
    let expected = match firsts.get(clues) {
        Some(&field) => drawing(field, rows, columns),
        None => b"-1\n".to_vec(),
    };
    check(input, &expected, ask(input, output));
}

/// Every clue board that some field has, and the first of its fields.
fn first_fields(rows: usize, columns: usize) -> HashMap<Vec<u8>, u32> {
    let blocks = blocks(rows, columns);
    let fields = 0_u32..1 << (rows * columns);
    fields
        .map(|field| {
            (
                blocks
                    .iter()
                    .map(|block| (field & block).count_ones() as u8)
                    .collect(),
                field,
            )
        })
        .collect()
}

/// An input with all clues 0.
fn clue_text(rows: usize, columns: usize) -> Vec<u8> {
    let row = "0 ".repeat(columns - 1) + "0\n";
    format!("{:>3} {:>3}\n{}", rows, columns, row.repeat(rows)).into_bytes()
}

/// Writes the clues into such an input.
fn set_clues<Block: Copy>(input: &mut [u8], blocks: &[Block], mut clue: impl FnMut(Block) -> u32) {
    let first = input.len() - 2 * blocks.len();
    for (cell, &block) in blocks.iter().enumerate() {
        input[first + 2 * cell] = b'0' + clue(block) as u8;
    }
}

/// The field that was printed; `None` unless it is one, to the byte.
fn field_of(text: &[u8], columns: usize, cells: usize) -> Option<u32> {
    let mut field = 0;
    for (index, cell) in text.chunks(2).enumerate() {
        let end = if (index + 1) % columns == 0 {
            b'\n'
        } else {
            b' '
        };
        field = field << 1
            | match cell {
                [b'x', byte] if *byte == end => 1,
                [b'_', byte] if *byte == end => 0,
                _ => return None,
            };
    }
    Some(field).filter(|_| text.len() == 2 * cells)
}

fn drawing(field: u32, rows: usize, columns: usize) -> Vec<u8> {
    let cells = rows * columns;
    let cell = |index: usize| {
        let mine = field >> (cells - 1 - index) & 1 == 1;
        let end = if (index + 1) % columns == 0 {
            b'\n'
        } else {
            b' '
        };
        [if mine { b'x' } else { b'_' }, end]
    };
    (0..cells).flat_map(cell).collect()
}

// ---------------------------------------------------------------- complete
//
// A board is a pattern of `?`, `*` and digits, and the digits' values. For a pattern, the values that can be completed
// are exactly those that some choice of its unknown mines gives: so all choices are listed, and each board is looked
// up among them.
//
// Of 3x3 boards not all 11^9 are asked. What counts of a digit is how many mines it still needs; below 0 no choice
// can meet it, and above its unknown neighbours none either. So for each digit only the values from one too few to one
// too many are tried (as far as they are digits): every other board is a NO for the same reason as one of these.

fn complete(all: bool, threads: usize) {
    let (cells, reduced) = if all { (6, (3, 3)) } else { (4, (2, 3)) };
    let sizes = sides(cells).map(|(rows, columns)| every_board(rows, columns, false, threads));
    tell(
        sizes.sum(),
        &format!("boards of all sizes up to {} cells", cells),
    );
    if all {
        tell(every_board(2, 4, false, threads), "boards of 2x4");
        tell(
            every_board(4, 2, true, threads),
            "boards of 4x2, digits from one too few to one too many",
        );
    }
    let (rows, columns) = reduced;
    let what = format!(
        "boards of {}x{}, digits from one too few to one too many",
        rows, columns
    );
    tell(every_board(rows, columns, true, threads), &what);
}

fn every_board(rows: usize, columns: usize, reduced: bool, threads: usize) -> u64 {
    let total = AtomicU64::new(0);
    let patterns = 3_u64.pow((rows * columns) as u32);
    spread(patterns, threads, |patterns| {
        let mut batch = Batch::default();
        for pattern in patterns {
            let kind = |cell: usize| pattern / 3_u64.pow(cell as u32) % 3;
            let kinds: Vec<u64> = (0..rows * columns).map(kind).collect();
            let boards = Pattern::new(&kinds, (rows, columns), reduced).ask(&mut batch);
            total.fetch_add(boards, Ordering::Relaxed);
        }
        batch.ask();
    });
    total.into_inner()
}

/// The boards that differ only in the values of their digits.
struct Pattern {
    sides: (usize, usize),
    /// The board with all digits 0.
    board: Vec<u8>,
    /// Where the digits are, and the least and the greatest value to try there.
    digits: Vec<usize>,
    ranges: Vec<(u32, u32)>,
    /// The values that some choice of the unknown mines gives.
    possible: HashSet<Vec<u32>>,
}

impl Pattern {
    /// In `kinds`, 0 is an unknown, 1 a mine, 2 a digit.
    fn new(kinds: &[u64], sides: (usize, usize), reduced: bool) -> Self {
        let blocks = blocks(sides.0, sides.1);
        let cells = |kind| (0..kinds.len()).filter(move |&cell| kinds[cell] == kind);
        let set = |kind| cells(kind).map(|cell| 1 << (kinds.len() - 1 - cell)).sum();
        let (unknown, mines): (u32, u32) = (set(0), set(1));
        let digits: Vec<usize> = cells(2).collect();
        let count = |field: u32, cell: usize| (field & blocks[cell]).count_ones();
        let given = |field| digits.iter().map(|&cell| count(field, cell)).collect();
        let choices = (0..=unknown).filter(|choice| choice & !unknown == 0);
        let possible = choices.map(|choice| given(choice | mines)).collect();
        let range = |&cell: &usize| {
            let (least, most) = (count(mines, cell), count(unknown | mines, cell));
            if reduced {
                (least.max(1) - 1, 8.min(most + 1))
            } else {
                (0, 8)
            }
        };
        Pattern {
            sides,
            board: kinds.iter().map(|&kind| b"?*0"[kind as usize]).collect(),
            ranges: digits.iter().map(range).collect(),
            digits,
            possible,
        }
    }

    /// Asks all its boards; returns how many there are.
    fn ask(&mut self, batch: &mut Batch) -> u64 {
        let mut values: Vec<u32> = self.ranges.iter().map(|range| range.0).collect();
        for count in 1.. {
            for (&cell, &value) in self.digits.iter().zip(&values) {
                self.board[cell] = b'0' + value as u8;
            }
            batch.add(self.sides, &self.board, self.possible.contains(&values));
            if !step(&mut values, &self.ranges) {
                return count;
            }
        }
        unreachable!("the values come to an end")
    }
}

/// The next values in their ranges, as an odometer counts; `false` behind the last.
fn step(values: &mut [u32], ranges: &[(u32, u32)]) -> bool {
    for (value, &(least, most)) in values.iter_mut().zip(ranges) {
        if *value < most {
            *value += 1;
            return true;
        }
        *value = least;
    }
    false
}

/// Tests that are asked together.
#[derive(Default)]
struct Batch {
    tests: usize,
    boards: Vec<u8>,
    expected: Vec<u8>,
}

impl Batch {
    fn add(&mut self, (rows, columns): (usize, usize), board: &[u8], possible: bool) {
        let sides = [b'0' + rows as u8, b' ', b'0' + columns as u8, b'\n'];
        self.boards.extend_from_slice(&sides);
        self.boards.extend_from_slice(board);
        self.boards.push(b'\n');
        self.expected
            .extend_from_slice(if possible { b"YES\n" } else { b"NO\n" });
        self.tests += 1;
        if self.tests == BATCH {
            self.ask();
        }
    }

    fn ask(&mut self) {
        if self.tests > 0 {
            let input = [format!("{}\n", self.tests).as_bytes(), &self.boards].concat();
            let mut output = Vec::new();
            if ask(&input, &mut output) != &self.expected[..] {
                self.ask_one_by_one();
                wrong(
                    b"(a batch of boards, each of them right by itself)",
                    b"the same answers",
                    b"others",
                );
            }
            *self = Batch::default();
        }
    }

    /// Finds the board whose answer is wrong by itself.
    fn ask_one_by_one(&self) {
        let size = self.boards.len() / self.tests;
        for (board, expected) in self
            .boards
            .chunks(size)
            .zip(self.expected.split_inclusive(|&byte| byte == b'\n'))
        {
            let input = [b"1\n", board].concat();
            check(&input, expected, ask(&input, &mut Vec::new()));
        }
    }
}

// ---------------------------------------------------------------- reveal
//
// Every board of mines and unopened cells up to 4x4, and every board of 3x3 that may also have opened blanks and
// ones, whether a game leads to it or not; every click; in JSON and in plain form. The oracle answers.

fn reveal(all: bool, threads: usize) {
    let (side, (rows, columns)) = if all { (4, (3, 3)) } else { (3, (2, 3)) };
    let sizes = sides(side * side).filter(|&(rows, columns)| rows.max(columns) <= side);
    let clicks = sizes.map(|(rows, columns)| every_click(rows, columns, b"EM", threads));
    tell(
        clicks.sum(),
        &format!(
            "clicks on boards of E and M up to {0}x{0}, in both forms",
            side
        ),
    );
    let what = format!(
        "clicks on boards of E, M, B and 1 of {}x{}, in both forms",
        rows, columns
    );
    tell(every_click(rows, columns, b"EMB1", threads), &what);
}

fn every_click(rows: usize, columns: usize, alphabet: &[u8], threads: usize) -> u64 {
    let cells = rows * columns;
    let base = alphabet.len() as u64;
    let boards = base.pow(cells as u32);
    spread(boards, threads, |boards| {
        let mut output = Vec::new();
        for board in boards {
            let cell =
                |cell: usize| char::from(alphabet[(board / base.pow(cell as u32) % base) as usize]);
            for click in 0..cells {
                for input in forms(rows, columns, cell, click) {
                    let mut expected = String::new();
                    if oracle::reveal(&input, &mut expected).is_err() {
                        wrong(input.as_bytes(), b"an input that the oracle reads", b"");
                    }
                    check(
                        input.as_bytes(),
                        expected.as_bytes(),
                        ask(input.as_bytes(), &mut output),
                    );
                }
            }
        }
    });
    boards * cells as u64
}

/// The input as JSON and as plain rows.
fn forms(rows: usize, columns: usize, cell: impl Fn(usize) -> char, click: usize) -> [String; 2] {
    let row = |row: usize| (row * columns..(row + 1) * columns).map(&cell);
    let quoted = |index| {
        row(index)
            .map(|cell| format!("\"{}\"", cell))
            .collect::<Vec<_>>()
            .join(",")
    };
    let json: Vec<String> = (0..rows)
        .map(|index| format!("[{}]", quoted(index)))
        .collect();
    let plain: String = (0..rows)
        .map(|index| row(index).collect::<String>() + "\n")
        .collect();
    let (down, right) = (click / columns, click % columns);
    [
        format!("[{}]\n[{},{}]\n", json.join(","), down, right),
        format!("{} {}\n{}{} {}\n", rows, columns, plain, down, right),
    ]
}
