//! *Problem.* Every cell of a board tells how many mines lie in the 3x3 block around it, itself
//! included. Find the mines.
//!
//! *Input.* One of these forms, each with its test at the end; what follows it is ignored.
//!
//! | form | test |
//! |------|------|
//! | `2 3`, then 2 rows of 3 whole numbers, blanks and line ends of any kind between | `reads_plain_numbers` |
//! | `{{1, 1, 0}, {2, 3, 2}}` or `[[1, 1, 0], [2, 3, 2]]`, blanks and line ends anywhere | `reads_literals` |
//! | labels before that: `arr[][] =`, `int arr[2][3] =`, `Input: arr[][] =` | `reads_labels` |
//!
//! *Output.* The board, `x` for a mine and `_` for none, one blank between. Of several mine fields
//! the first in row-major order, a mine before none: the one that a backtracking search finds
//! first. `-1` if no mine field has these clues; none has a clue outside 0..9.
//!
//! *Method.* Sums over 3x3 blocks are sums of three along the rows and then along the columns, so
//! they are undone along one and then along the other. In a line of n cells with nothing outside
//! it, `x[k-1] + x[k] + x[k+1] = r[k]` gives each cell from the two before it. The first cell, t, is
//! unknown: run with 0 in its place. The true line is that run plus `t * u`, where u is the line
//! 1, -1, 0, 1, -1, 0, ..., whose sums of three are all 0. What t is, cell n tells: it lies outside
//! and must be 0. If n mod 3 is 0 or 1, `u[n]` is 1 or -1, and there is one t. If it is 2, `u[n]`
//! is 0: cell n must be 0 as it is, and t is free. What is free gets a mine wherever one fits.
//!
//! *Why it is right.* With N rows and M columns, both 2 mod 3, the solutions in whole numbers are
//! `P[i][j] + u[i] * a[j] + b[i] * u[j]`: P is what the runs gave, a the first row, b free. If N
//! is not 2 mod 3, a is given; if M is not, b is 0. So where one direction is free, its lines do
//! not touch each other, and each may take the better value by itself. Where both are, the rows
//! tie the cells of a together, but only by facts and implications (see `Ties`).
//! All this is reckoned modulo 256 and loses nothing: an answer's cells are 0 or 1, so its sums are
//! 0..9 as the clues are, and there equal modulo 256 is equal. So nothing can overflow.
//!
//! *Cost.* O(NM) time; 6000x6000 in about the time of `md5sum` on the same input. Memory: a byte
//! for each cell, one row, and where both directions are free two bytes for each row.
//!
//! *Source.* The puzzle is known as Mosaic or Fill-a-Pix, here with every clue given.

#![forbid(unsafe_code)]

use std::convert::TryFrom;
use std::env;
use std::io::{self, BufWriter, Read, Write};
use std::iter::once;

const USAGE: &str = "\
usage: clues < INPUT
Finds the mines on a board whose every cell counts those in the 3x3 block around it.
INPUT is the number of rows and of columns, then the clues; or a board {{2, 2}, {2, 2}}:
    2 2
    2 2
    2 2
Prints x for a mine, _ for none, or -1 where no mine field has these clues:
    x x
    _ _
";

/// The greatest clue: a full 3x3 block.
const MAX_CLUE: u8 = 9;

/// Bytes of the usual layout that are checked together.
const BLOCK: usize = 128;

/// Stands on the board for every clue that no mine field has.
const OUTSIDE: u8 = 255;

fn main() {
    std::process::exit(launch("clues", USAGE, answer));
}

fn answer(console: &mut Console) -> io::Result<()> {
    let board = read_board(console)?;
    match solve(board) {
        Some(field) => write_field(&field, console.output),
        None => console.output.write_all(b"-1\n"),
    }
}

/// A clue in every cell at first; in the end 1 for a mine and 0 for none. `width` is at least 1
/// and divides the length of `cells`, which stand row by row.
#[derive(Clone, Debug, PartialEq)]
struct Board {
    width: usize,
    cells: Vec<u8>,
}

impl Board {
    fn height(&self) -> usize {
        self.cells.len() / self.width
    }
}

/// The first mine field in row-major order, a mine before none, that has the board's clues.
fn solve(mut board: Board) -> Option<Board> {
    let asked = if cfg!(debug_assertions) {
        Some(board.clone())
    } else {
        None
    };
    let beyond = unfold(&mut board)?;
    let first = first_row(&board, beyond)?;
    complete_rows(&mut board, &first)?;
    debug_assert!(asked.map_or(true, |clues| clues == count_mines(&board)));
    Some(board)
}

/// Undoes the sums along each row and then, in the same pass, along the columns, from a first
/// row of zeros; returns the row beyond the last. `None` where a row has no solution.
fn unfold(board: &mut Board) -> Option<Vec<u8>> {
    let width = board.width;
    let mut next = vec![0; width];
    for start in (0..board.cells.len()).step_by(width) {
        let (above, below) = board.cells.split_at_mut(start);
        let row = &mut below[..width];
        unfold_row(row)?;
        unfold_columns(&above[start.saturating_sub(width)..], row, &mut next);
    }
    Some(next)
}

/// Turns a row of clues into the row whose sums of three they are, its first cell 0 if that is
/// free.
fn unfold_row(row: &mut [u8]) -> Option<()> {
    if row.iter().fold(0, |greatest, &clue| clue.max(greatest)) > MAX_CLUE {
        return None;
    }
    let beyond = run(row);
    match row.len() % 3 {
        0 => add_kernel(row, beyond.wrapping_neg()),
        1 => add_kernel(row, beyond),
        _ if beyond != 0 => return None,
        _ => {}
    }
    Some(())
}

/// Turns sums of three into the cells that follow from a first cell of 0; returns the cell
/// beyond the last. Each cell waits for the one before it, but only for one subtraction. (Three
/// interleaved runs, by `x[k+3] - x[k] = r[k+2] - r[k+1]`, save a tenth of the whole time.)
fn run(row: &mut [u8]) -> u8 {
    let (mut before, mut next) = (0_u8, 0_u8);
    for cell in row {
        let after = cell.wrapping_sub(before).wrapping_sub(next);
        before = next;
        *cell = next;
        next = after;
    }
    next
}

/// The step that `run` takes from cell to cell, from row to row: `next` takes the place of this
/// row's sums, and what follows from them becomes `next`. The top row has none before it.
fn unfold_columns(before: &[u8], row: &mut [u8], next: &mut [u8]) {
    for (cell, &before) in row.iter_mut().zip(before) {
        *cell = cell.wrapping_sub(before);
    }
    for (cell, next) in row.iter_mut().zip(next) {
        let after = cell.wrapping_sub(*next);
        *cell = *next;
        *next = after;
    }
}

/// Adds `t * u`, in pieces that hold whole periods of u and whole machine vectors.
fn add_kernel(row: &mut [u8], t: u8) {
    let mut changes = [0; 48];
    for triple in changes.chunks_exact_mut(3).take(row.len() / 3 + 1) {
        triple[0] = t;
        triple[1] = t.wrapping_neg();
    }
    for piece in row.chunks_mut(changes.len()) {
        for (cell, &change) in piece.iter_mut().zip(&changes) {
            *cell = cell.wrapping_add(change);
        }
    }
}

/// The field's first row, from the row beyond the last, which must come out as 0. Where nothing
/// fits, any row may be returned: `complete_rows` looks at every cell.
fn first_row(board: &Board, mut beyond: Vec<u8>) -> Option<Vec<u8>> {
    match board.height() % 3 {
        0 => negate(&mut beyond),
        1 => {}
        _ if beyond.iter().any(|&cell| cell != 0) => return None,
        _ => {
            mines_that_fit(board, &mut beyond);
            if board.width % 3 == 2 {
                Ties::new(board, &mut beyond).untie();
            }
        }
    }
    Some(beyond)
}

fn negate(row: &mut [u8]) {
    for cell in row {
        *cell = cell.wrapping_neg();
    }
}

/// Free columns, each by itself: its first cell gets a mine if then all its cells are 0 or 1.
/// `first` must be zeros.
fn mines_that_fit(board: &Board, first: &mut [u8]) {
    for (i, row) in board.cells.chunks(board.width).enumerate() {
        let u = kernel(i);
        for (bits, &cell) in first.iter_mut().zip(row) {
            *bits |= cell.wrapping_add(u);
        }
    }
    for bits in first {
        *bits = u8::from(*bits <= 1);
    }
}

/// `u[i]`, modulo 256.
fn kernel(i: usize) -> u8 {
    [1, 255, 0][i % 3]
}

/// A column of the first row whose value is still open.
const OPEN: u8 = 2;

/// Added to the levels of a row, which on a solvable board are -2..3: `level` tells why.
const LEVEL: u8 = 2;

/// What a row says of the first row, as far as it is not yet used.
#[derive(Clone, Copy)]
enum Row {
    /// Nothing, or nothing more.
    Silent,
    /// Its levels are this one and the next.
    Tied(u8),
    /// Tied, and a column that it ties has got this value: those on its other level must get it.
    Due(u8),
}

/// How the first row's cells hang together when both rows and columns are free.
///
/// Row i asks for a `b[i]` with `P[i][j] + u[i] * a[j] + b[i] * u[j]` in 0..1 for all j. Columns
/// with `u[j] = 0` have been decided. For the others let `y[j]` be `a[j]` where `u[j] = 1` and
/// `1 - a[j]` where `u[j] = -1`, and replace the cells with `u[i] * u[j] = -1` by 1 minus
/// themselves. Then the row asks for a b with `level[j] + y[j] + b` in 0..1 for all j, and what
/// counts is how far its levels lie apart:
///
/// - 0: some b always fits.
/// - 1: b fits if every y on the lower level is 1 or every y on the upper level is 0. So one upper
///   y of 1 forces all lower ones to 1, and one lower y of 0 all upper ones to 0.
/// - 2: every y on the lowest level is 1 and every y on the greatest is 0.
/// - more: no b fits.
///
/// These are facts, and implications from a y of 1 to a y of 1. Once all that the facts imply
/// is known, an open y may take either value: whatever that implies contradicts nothing, or
/// the implication read backwards had decided it before.
///
/// - T1: `open`, `tied` and `due` count what their names say.
/// - T2: no column calls a `Tied` row: none on the upper level is 1, none on the lower is 0.
struct Ties<'a> {
    board: &'a Board,
    /// `y`, or `OPEN`; every third cell is the first row's own.
    first: &'a mut [u8],
    rows: Vec<Row>,
    open: usize,
    tied: usize,
    due: usize,
}

impl<'a> Ties<'a> {
    fn new(board: &'a Board, first: &'a mut [u8]) -> Self {
        for pair in first.chunks_mut(3) {
            pair[0] = OPEN;
            pair[1] = OPEN;
        }
        Ties {
            board,
            open: first.len() / 3 * 2 + 2,
            first,
            rows: vec![Row::Silent; board.height()],
            tied: 0,
            due: 0,
        }
    }

    /// Decides the open cells of the first row. Contradictions go unnoticed here.
    fn untie(&mut self) {
        self.gather_facts();
        self.gather_due_rows();
        self.follow();
        self.check_invariants();
        for j in 0..self.first.len() {
            self.decide(j, u8::from(j % 3 == 0));
            self.follow();
        }
        self.check_invariants();
        for pair in self.first.chunks_mut(3) {
            pair[1] = 1 - pair[1];
        }
    }

    /// Checks T1 and T2, in debug builds.
    fn check_invariants(&self) {
        if !cfg!(debug_assertions) {
            return;
        }
        let open = self.first.iter().filter(|&&value| value == OPEN).count();
        let (mut tied, mut due) = (0, 0);
        for (i, &row) in self.rows.iter().enumerate() {
            match row {
                Row::Silent => {}
                Row::Tied(least) => {
                    tied += 1;
                    let mut levels = self.levels(i);
                    assert!(
                        levels.all(|(j, level)| level - least != self.first[j]),
                        "T2"
                    );
                }
                Row::Due(_) => due += 1,
            }
        }
        assert_eq!((open, tied, due), (self.open, self.tied, self.due), "T1");
    }

    /// Takes the facts from the rows whose levels lie 2 apart and finds those that are tied. On
    /// most boards the first few rows decide every column.
    fn gather_facts(&mut self) {
        for i in (0..self.rows.len()).filter(|i| i % 3 != 2) {
            if self.open == 0 {
                break;
            }
            let (least, greatest) = self.range(i);
            if greatest - least == 1 {
                self.rows[i] = Row::Tied(least);
                self.tied += 1;
            } else if greatest - least == 2 {
                for (j, level) in self.levels(i) {
                    if level != least + 1 && self.first[j] == OPEN {
                        self.first[j] = u8::from(level == least);
                        self.open -= 1;
                    }
                }
            }
        }
    }

    /// Establishes T2: finds the tied rows that the facts call.
    fn gather_due_rows(&mut self) {
        for i in 0..self.rows.len() {
            if let Row::Tied(least) = self.rows[i] {
                let first = &self.first;
                let caller = self.levels(i).find(|&(j, level)| level - least == first[j]);
                if let Some((j, _)) = caller {
                    self.call(i, self.first[j]);
                }
            }
        }
    }

    /// Tied row `i` becomes due.
    fn call(&mut self, i: usize, value: u8) {
        self.rows[i] = Row::Due(value);
        self.tied -= 1;
        self.due += 1;
    }

    /// Follows the implications of all due rows. No queue is needed: every sweep over the rows but
    /// the very first comes from a column decided since the last one, so there are at most M + 1 on
    /// a board, and O(NM) steps in all.
    fn follow(&mut self) {
        while self.due > 0 {
            for i in 0..self.rows.len() {
                if self.open == 0 {
                    return;
                }
                if let Row::Due(value) = self.rows[i] {
                    self.rows[i] = Row::Silent;
                    self.due -= 1;
                    self.imply(i, value);
                }
            }
        }
    }

    /// A column of row `i` has got `value`: gives it to all on the row's other level.
    fn imply(&mut self, i: usize, value: u8) {
        let (least, _) = self.range(i);
        for (j, level) in self.levels(i) {
            if level - least != value {
                self.decide(j, value);
            }
        }
    }

    /// Gives column `j` its value, if it is open, and keeps T2: the tied rows it calls become due.
    fn decide(&mut self, j: usize, value: u8) {
        if self.first[j] != OPEN {
            return;
        }
        self.first[j] = value;
        self.open -= 1;
        if self.tied == 0 {
            return;
        }
        let column = self.board.cells[j..].iter().step_by(self.board.width);
        for (i, &cell) in column.enumerate() {
            if let Row::Tied(least) = self.rows[i] {
                if level(i, j, cell) - least == value {
                    self.call(i, value);
                }
            }
        }
    }

    /// The least and the greatest level of row `i`, which has `u[i] != 0`.
    fn range(&self, i: usize) -> (u8, u8) {
        self.levels(i)
            .fold((255, 0), |(least, greatest), (_, level)| {
                (level.min(least), level.max(greatest))
            })
    }

    /// The columns with `u[j] != 0` and their levels in row `i`, which has `u[i] != 0`.
    fn levels(&self, i: usize) -> impl Iterator<Item = (usize, u8)> + 'a {
        let width = self.board.width;
        let pairs = self.board.cells[i * width..].chunks(3).take(width / 3 + 1);
        pairs.enumerate().flat_map(move |(k, pair)| {
            let left = (3 * k, level(i, 0, pair[0]));
            let right = (3 * k + 1, level(i, 1, pair[1]));
            once(left).chain(once(right))
        })
    }
}

/// The level of a cell of P, with `LEVEL` added. If `u[i] = 1` it is `u[j] * P`, if `u[i] = -1`
/// it is `u[j] * (1 - P)`. `P[i][0]` is 0, so column 0 has level 0 or 1 and, where a row has a
/// solution, no other level lies further than 2 from that.
fn level(i: usize, j: usize, cell: u8) -> u8 {
    let toward_one = if i % 3 == 0 {
        cell
    } else {
        1_u8.wrapping_sub(cell)
    };
    if j % 3 == 0 {
        LEVEL.wrapping_add(toward_one)
    } else {
        LEVEL.wrapping_sub(toward_one)
    }
}

/// Adds to each row what the first row and, if rows are free, its own first cell bring in.
/// `None` if a cell is then neither a mine nor none.
fn complete_rows(board: &mut Board, first: &[u8]) -> Option<()> {
    for (i, row) in board.cells.chunks_mut(board.width).enumerate() {
        let cells = row.iter_mut().zip(first);
        match i % 3 {
            0 => cells.for_each(|(cell, &first)| *cell = cell.wrapping_add(first)),
            1 => cells.for_each(|(cell, &first)| *cell = cell.wrapping_sub(first)),
            _ => {}
        }
        if row.len() % 3 == 2 {
            let mine = 1_u8.wrapping_sub(row[0]);
            add_kernel(row, mine);
            if !all_cells_fit(row) {
                add_kernel(row, 255);
            }
        }
        if !all_cells_fit(row) {
            return None;
        }
    }
    Some(())
}

/// Whether all cells are 0 or 1.
fn all_cells_fit(row: &[u8]) -> bool {
    row.iter().fold(0, |bits, &cell| bits | cell) <= 1
}

/// The clues of a mine field, counted the plain way.
fn count_mines(field: &Board) -> Board {
    let (height, width) = (field.height(), field.width);
    let mut cells = vec![0; height * width];
    for at in (0..cells.len()).filter(|&at| field.cells[at] == 1) {
        let (i, j) = (at / width, at % width);
        for row in i.saturating_sub(1)..height.min(i + 2) {
            for column in j.saturating_sub(1)..width.min(j + 2) {
                cells[row * width + column] += 1;
            }
        }
    }
    Board { width, cells }
}

/// Reads a board in any of the forms that the table at the top shows.
fn read_board(console: &mut Console) -> io::Result<Board> {
    console.skip_byte_order_mark()?;
    match console.peek_past_blanks()? {
        Some(b'{') | Some(b'[') => read_literal(console),
        Some(byte) if starts_label(byte) => {
            skip_labels(console)?;
            read_literal(console)
        }
        _ => read_numbers(console),
    }
}

/// Two counts and then the clues. Memory grows with what has been read, not with the counts.
fn read_numbers(console: &mut Console) -> io::Result<Board> {
    let height = console.count("a number of rows, 1 or more")?;
    let width = console.count("a number of columns, 1 or more")?;
    let wanted = height.saturating_mul(width);
    let mut cells = Vec::new();
    while cells.len() < wanted {
        read_usual_cells(console, &mut cells, wanted)?;
        if cells.len() < wanted {
            cells.push(read_clue(console)?);
        }
    }
    Ok(Board { width, cells })
}

/// Fast path: takes the clues that have been read already, as far as each is one digit with one
/// blank or line end behind it. `read_clue` does the same for a clue of any form.
fn read_usual_cells(console: &mut Console, cells: &mut Vec<u8>, wanted: usize) -> io::Result<()> {
    console.peek_past_blanks()?;
    let text = console.unread();
    let count = usual_cells(text).min(wanted - cells.len());
    let pairs = text[..2 * count].chunks_exact(2);
    cells.extend(pairs.map(|pair| pair[0] - b'0'));
    console.take(2 * count);
    Ok(())
}

/// How many cells in the usual layout the text begins with, looking at a block at a time.
fn usual_cells(text: &[u8]) -> usize {
    let is_usual = |pair: &[u8]| pair[0].is_ascii_digit() & (pair[1] == b' ' || pair[1] == b'\n');
    let blocks = text.chunks_exact(BLOCK);
    let whole = blocks.take_while(|block| {
        block
            .chunks_exact(2)
            .fold(true, |all, pair| all & is_usual(pair))
    });
    let start = whole.count() * BLOCK;
    let rest = text[start..].chunks_exact(2);
    start / 2 + rest.take_while(|pair| is_usual(pair)).count()
}

fn read_clue(console: &mut Console) -> io::Result<u8> {
    let (value, _) = console.number("a clue")?;
    let clue = u8::try_from(value).ok().filter(|&clue| clue <= MAX_CLUE);
    Ok(clue.unwrap_or(OUTSIDE))
}

fn starts_label(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

/// Takes labels such as `Input:` and `int arr[7][7] =`.
fn skip_labels(console: &mut Console) -> io::Result<()> {
    while console.peek_past_blanks()?.map_or(false, starts_label) {
        loop {
            let next = console.peek_past_blanks()?;
            match next {
                Some(b'=') | Some(b':') => break console.take(1),
                Some(b'[') | Some(b']') | Some(b'_') => console.take(1),
                Some(byte) if byte.is_ascii_alphanumeric() => console.take(1),
                _ => return Err(console.unexpected("'=' behind the name of the board")),
            }
        }
    }
    Ok(())
}

/// Rows in brackets, themselves in brackets.
fn read_literal(console: &mut Console) -> io::Result<Board> {
    let (mut width, mut cells) = (0, Vec::new());
    read_list(console, "the rows", &mut |console| {
        let start = cells.len();
        read_list(console, "the clues of a row", &mut |console| {
            cells.push(read_clue(console)?);
            Ok(())
        })?;
        let count = cells.len() - start;
        if start > 0 && count != width {
            let expected = format!("{} clues as in the first row", width);
            return Err(console.refuse(1, &mismatch(&expected, &count.to_string())));
        }
        width = count;
        Ok(())
    })?;
    Ok(Board { width, cells })
}

/// One item or more, commas between, in brackets of one kind; takes nothing behind them.
fn read_list(
    console: &mut Console,
    content: &str,
    read_item: &mut dyn FnMut(&mut Console) -> io::Result<()>,
) -> io::Result<()> {
    let close = match console.peek_past_blanks()? {
        Some(b'{') => b'}',
        Some(b'[') => b']',
        _ => return Err(console.unexpected(&format!("'{{' or '[' before {}", content))),
    };
    console.take(1);
    loop {
        read_item(console)?;
        match console.peek_past_blanks()? {
            Some(b',') => console.take(1),
            Some(byte) if byte == close => break,
            _ => return Err(console.unexpected(&format!("',' or {:?}", char::from(close)))),
        }
    }
    console.take(1);
    Ok(())
}

fn symbol(cell: u8) -> u8 {
    if cell == 1 {
        b'x'
    } else {
        b'_'
    }
}

/// Writes a line for each row, in pieces of at most `CAPACITY` bytes.
fn write_field(field: &Board, output: &mut dyn Write) -> io::Result<()> {
    let mut text = vec![0; CAPACITY];
    for row in field.cells.chunks(field.width) {
        let mut left = row.len();
        for piece in row.chunks(CAPACITY / 2) {
            for (pair, &cell) in text.chunks_exact_mut(2).zip(piece) {
                pair.copy_from_slice(&[symbol(cell), b' ']);
            }
            left -= piece.len();
            if left == 0 {
                text[2 * piece.len() - 1] = b'\n';
            }
            output.write_all(&text[..2 * piece.len()])?;
        }
    }
    Ok(())
}

// ===== console: the same lines in all three programs =====

const CAPACITY: usize = 1 << 16;

/// Numbers saturate here: no input holds so many cells, and ten times it fits an `i64`.
const HUGE: i64 = 1_000_000_000_000_000;

/// Input with line and column, tied to the output as C++ ties `cin` to `cout`: what has been written
/// goes out before any read that may block.
///
/// - C1: `buffer[next..end]` has been read and not yet taken; `next <= end <= CAPACITY`.
/// - C2: `buffer[0]` stands at `line` and `column`; both count from 1, columns in characters.
struct Console<'a> {
    input: &'a mut dyn Read,
    output: &'a mut dyn Write,
    buffer: Vec<u8>,
    next: usize,
    end: usize,
    line: usize,
    column: usize,
    /// The input has ended and is not asked again: a terminal would wait.
    ended: bool,
}

impl<'a> Console<'a> {
    fn new(input: &'a mut dyn Read, output: &'a mut dyn Write) -> Self {
        Console {
            input,
            output,
            buffer: vec![0; CAPACITY],
            next: 0,
            end: 0,
            line: 1,
            column: 1,
            ended: false,
        }
    }

    fn unread(&self) -> &[u8] {
        &self.buffer[self.next..self.end]
    }

    fn take(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.next);
        self.next += count;
    }

    /// Reads on behind the unread bytes, fewer than `CAPACITY`; `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        self.output.flush()?;
        let place = self.place();
        self.buffer.copy_within(self.next..self.end, 0);
        self.end -= self.next;
        self.next = 0;
        self.line = place.0;
        self.column = place.1;
        debug_assert!(self.end < CAPACITY);
        while !self.ended {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    self.ended = count == 0;
                    break;
                }
                Err(ref error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.refuse(0, &format!("cannot read: {}", error))),
            }
        }
        Ok(!self.ended)
    }

    /// The next byte, not taken; `None` at the end of the input.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        while self.next == self.end && self.fill()? {}
        Ok(self.unread().first().copied())
    }

    /// The next byte but for spaces, tabs, CR and LF; not taken.
    fn peek_past_blanks(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.peek()? {
                Some(b' ') | Some(b'\t') | Some(b'\r') | Some(b'\n') => self.take(1),
                other => return Ok(other),
            }
        }
    }

    /// Takes `text` if it comes next, else nothing.
    fn accept(&mut self, text: &[u8]) -> io::Result<bool> {
        while self.unread().len() < text.len() && text.starts_with(self.unread()) && self.fill()? {}
        let found = self.unread().starts_with(text);
        if found {
            self.take(text.len());
        }
        Ok(found)
    }

    /// Takes the byte-order mark that some editors put first; it has no column.
    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        if self.accept(b"\xEF\xBB\xBF")? {
            self.column -= 1;
        }
        Ok(())
    }

    /// The next whole number, saturated at ±`HUGE`, and how many bytes it took.
    fn number(&mut self, expected: &str) -> io::Result<(i64, usize)> {
        let sign = self.peek_past_blanks()?.filter(|byte| b"+-".contains(byte));
        let mut width = sign.map_or(0, |_| 1);
        self.take(width);
        let mut value = 0;
        while let Some(digit) = self.peek()?.filter(u8::is_ascii_digit) {
            value = HUGE.min(value * 10 + i64::from(digit - b'0'));
            width += 1;
            self.take(1);
        }
        match sign {
            None if width == 0 => Err(self.unexpected(expected)),
            Some(_) if width == 1 => Err(self.unexpected("a digit behind the sign")),
            Some(b'-') => Ok((-value, width)),
            _ => Ok((value, width)),
        }
    }

    /// The next whole number, 1 or more.
    fn count(&mut self, expected: &str) -> io::Result<usize> {
        match self.number(expected)? {
            (value, _) if value > 0 => Ok(usize::try_from(value).unwrap_or(!0)),
            (value, width) => Err(self.refuse(width, &mismatch(expected, &spelled(value)))),
        }
    }

    /// Line and column of the next byte.
    fn place(&self) -> (usize, usize) {
        let taken = &self.buffer[..self.next];
        let lines = tally(taken, |byte| byte == b'\n');
        let mut rows = taken.rsplit(|&byte| byte == b'\n');
        let row = Some(taken).filter(|_| lines == 0).or_else(|| rows.next());
        let characters = row.map_or(0, |row| tally(row, |byte| byte & 0xC0 != 0x80));
        let before = if lines == 0 { self.column } else { 1 };
        (self.line + lines, before + characters)
    }

    /// The error `back` bytes before the next one.
    fn refuse(&self, back: usize, message: &str) -> io::Error {
        let (line, column) = self.place();
        let text = format!("line {}, column {}: {}", line, column - back, message);
        io::Error::new(io::ErrorKind::InvalidData, text)
    }

    fn unexpected(&mut self, expected: &str) -> io::Error {
        let is_cut = |text: &[u8]| match std::str::from_utf8(text) {
            Err(cut) => cut.valid_up_to() == 0 && cut.error_len().is_none(),
            Ok(_) => false,
        };
        while is_cut(self.unread()) && self.fill().unwrap_or(false) {}
        let text = String::from_utf8_lossy(&self.unread()[..self.unread().len().min(4)]);
        let found = match (text.chars().next(), self.unread().first()) {
            (Some('\r'), _) | (Some('\n'), _) => "the end of the line".to_string(),
            (Some('\u{FFFD}'), Some(byte)) => format!("the byte 0x{:02X}", byte),
            (Some(character), _) => format!("{:?}", character),
            (None, _) => "the end of the input".to_string(),
        };
        self.refuse(0, &mismatch(expected, &found))
    }
}

/// How many of the bytes pass the test. All input comes by here: 128 cannot overflow a `u8`, and one
/// instruction counts many.
fn tally(bytes: &[u8], test: fn(u8) -> bool) -> usize {
    let count = |part: &[u8]| part.iter().map(|&byte| u8::from(test(byte))).sum::<u8>();
    let parts = bytes.chunks(128);
    parts.map(|part| usize::from(count(part))).sum()
}

fn mismatch(expected: &str, found: &str) -> String {
    format!("expected {}, found {}", expected, found)
}

fn spelled(value: i64) -> String {
    if value.abs() < HUGE {
        value.to_string()
    } else {
        "a number of more than 15 digits".to_string()
    }
}

/// Runs `answer` on the standard streams; the exit status is 1 for bad input or output, 2 for arguments.
/// A reader that has gone away (`| head`) is no failure.
fn launch(program: &str, usage: &str, answer: fn(&mut Console) -> io::Result<()>) -> i32 {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let mut output = BufWriter::with_capacity(CAPACITY, stdout.lock());
    let result = if arguments.is_empty() {
        answer(&mut Console::new(&mut stdin.lock(), &mut output))
    } else if arguments == ["-h"] || arguments == ["--help"] {
        output.write_all(usage.as_bytes())
    } else {
        let _ = io::stderr().write_all(usage.as_bytes());
        return 2;
    };
    let flushed = output.flush();
    let message = match result.and(flushed) {
        Ok(()) => return 0,
        Err(ref error) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
        Err(ref error) if error.kind() == io::ErrorKind::InvalidData => error.to_string(),
        Err(error) => format!("cannot write: {}", error),
    };
    let _ = writeln!(io::stderr(), "{}: {}", program, message);
    1
}

// ===== end of console =====

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "x _ _ _\n_ _ _ x\n_ _ _ _\n";

    /// Hands out a few bytes a call; asked for more than there is, it tells the end or, if
    /// `open`, fails the test: the answer must come without waiting for the end.
    struct Dribble<'a> {
        text: &'a [u8],
        step: usize,
        open: bool,
    }

    impl<'a> Read for Dribble<'a> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!(self.open && self.text.is_empty()), "read too far");
            let count = self.step.min(buffer.len()).min(self.text.len());
            let (now, later) = self.text.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.text = later;
            Ok(count)
        }
    }

    fn respond_to_reads(text: &str, step: usize, open: bool) -> String {
        let mut output = Vec::new();
        let text = text.as_bytes();
        let mut input = Dribble { text, step, open };
        match answer(&mut Console::new(&mut input, &mut output)) {
            Ok(()) => String::from_utf8(output).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    /// What comes back for a text, in whatever portions it arrives.
    fn respond(text: &str, open: bool) -> String {
        let response = respond_to_reads(text, text.len().max(1), open);
        for step in 1..9 {
            assert_eq!(respond_to_reads(text, step, open), response, "{}", step);
        }
        response
    }

    fn reads(text: &str) {
        assert_eq!(respond(text, true), ANSWER, "{:?}", text);
        let more = format!("{}7 7 7 ;x\u{1A}\n", text);
        assert_eq!(respond(&more, true), ANSWER, "{:?}", more);
    }

    #[test]
    fn reads_plain_numbers() {
        reads("3 4\n1 1 1 1\n1 1 1 1\n0 0 1 1\n");
        reads("3 4\r\n1 1 1 1\r\n1 1 1 1\r\n0 0 1 1\r");
        reads("\u{FEFF}  3\n\n4 1 1 1 1\t1 1 1 1\n0\n0\n\n1   +1 ");
        reads("03 4\n01 1 1 1 1 1 1 0001 -0 0 1 1 ");
    }

    /// Reads a board of numbers with the fast path or without.
    fn read_cells(text: &str, step: usize, fast: bool) -> Result<Vec<u8>, String> {
        let (text, open) = (text.as_bytes(), false);
        let (mut input, mut output) = (Dribble { text, step, open }, Vec::new());
        let console = &mut Console::new(&mut input, &mut output);
        if fast {
            return read_board(console)
                .map(|board| board.cells)
                .map_err(|error| error.to_string());
        }
        let size = console.count("").and_then(|n| Ok(n * console.count("")?));
        let cells = (0..size.map_err(|error| error.to_string())?)
            .map(|_| read_clue(console).map_err(|error| error.to_string()));
        cells.collect()
    }

    #[test]
    fn fast_path_reads_what_the_plain_path_reads() {
        let (height, width) = (3, BLOCK / 2 - 5);
        for at in 0..height * width {
            for odd in &[
                "8\r\n", "8\t", "8  ", " 8 ", "08 ", "+8 ", "10 ", "-1 ", "8x", "x ",
            ] {
                let mut text = format!("{} {}\n", height, width);
                for k in 0..height * width {
                    let usual = format!("{}{}", k % 7, if k % width == 0 { '\n' } else { ' ' });
                    text += if k == at { odd } else { &usual };
                }
                let plain = read_cells(&text, text.len(), false);
                for &step in &[7, BLOCK, text.len()] {
                    assert_eq!(read_cells(&text, step, true), plain, "{} {:?}", at, odd);
                }
            }
        }
    }

    #[test]
    fn writes_rows_longer_than_its_buffer() {
        let cells: Vec<u8> = (0..2 * CAPACITY).map(|at| u8::from(at % 7 == 0)).collect();
        let (width, mut output) = (CAPACITY, Vec::new());
        write_field(&Board { width, cells }, &mut output).unwrap();
        let symbol = |at| if at % 7 == 0 { "x" } else { "_" };
        let row = |start| {
            (start..start + width)
                .map(symbol)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let expected = format!("{}\n{}\n", row(0), row(width));
        assert!(output == expected.into_bytes());
    }

    #[test]
    fn reads_literals() {
        reads("{{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 1, 1}}");
        reads("[[1,1,1,1],[1,1,1,1],[0,0,1,1]]");
        reads("\n{\r\n {1 ,1,\t1,\n1} , [1,1,1,1],\n\n{0,0,1,1\n}\n}");
    }

    #[test]
    fn reads_labels() {
        reads("arr[][] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 1, 1}}");
        reads("int arr[3][4]={{1,1,1,1},{1,1,1,1},{0,0,1,1}}");
        reads("Input :  arr [ ] [ ] =\n{ {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 1, 1} }");
        reads("a_1 = [[1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 1, 1]]");
    }

    #[test]
    fn refuses_what_is_no_board() {
        let end = "the end of the input";
        let rows = "a number of rows, 1 or more";
        let columns = "a number of columns, 1 or more";
        let name = "'=' behind the name of the board";
        for &(text, line, column, expected, found) in &[
            ("", 1, 1, rows, end),
            ("# 2", 1, 1, rows, "'#'"),
            ("0 2", 1, 1, rows, "0"),
            ("3\n -7 2", 2, 2, columns, "-7"),
            ("1000000000000000 9999999999999999\n1", 2, 2, "a clue", end),
            ("2 2\n1 1\n1 ", 3, 3, "a clue", end),
            ("2 2\n1 1\n1 - 1", 3, 4, "a digit behind the sign", "' '"),
            ("2 2\n77 99999999999999999999 .", 2, 25, "a clue", "'.'"),
            ("{", 1, 2, "'{' or '[' before the clues of a row", end),
            ("{}", 1, 2, "'{' or '[' before the clues of a row", "'}'"),
            ("[[[", 1, 3, "a clue", "'['"),
            ("[[]]", 1, 3, "a clue", "']'"),
            ("{{1,}}", 1, 5, "a clue", "'}'"),
            ("{{1]}", 1, 4, "',' or '}'", "']'"),
            ("{{1 1}}", 1, 5, "',' or '}'", "'1'"),
            ("[[1, 2],\n[3]]", 2, 3, "2 clues as in the first row", "1"),
            ("[[1],\n[3, 4]]", 2, 6, "1 clues as in the first row", "2"),
            ("[[1]\n", 2, 1, "',' or ']'", end),
            ("arr[][] {{1}}", 1, 9, name, "'{'"),
            ("Input", 1, 6, name, end),
            ("a = 1", 1, 5, "'{' or '[' before the rows", "'1'"),
        ] {
            let message = mismatch(expected, found);
            let message = format!("line {}, column {}: {}", line, column, message);
            assert_eq!(respond(text, false), message, "{:?}", text);
        }
    }

    #[test]
    fn clues_outside_the_range_have_no_field() {
        for clue in &["10", "-1", "256", "-255", "99999999999999999999"] {
            assert_eq!(respond(&format!("1 1\n{}\n", clue), true), "-1\n");
            assert_eq!(respond(&format!("{{{{0, {}}}}}", clue), true), "-1\n");
        }
    }

    /// The block of each cell of a board, as a set of bits. In this order a field comes before
    /// another if it is the greater number: the first cell is the highest bit.
    fn blocks(height: usize, width: usize) -> Vec<u32> {
        let size = height * width;
        let near = |a: usize, b: usize| a.max(b) - a.min(b) <= 1;
        let touch = |a, b| near(a / width, b / width) && near(a % width, b % width);
        let block = |a| {
            (0..size)
                .map(|b| u32::from(touch(a, b)) << (size - 1 - b))
                .sum()
        };
        (0..size).map(block).collect()
    }

    fn count(blocks: &[u32], mines: u32) -> Vec<u8> {
        let clue = |&block: &u32| u8::try_from((mines & block).count_ones()).unwrap();
        blocks.iter().map(clue).collect()
    }

    fn solved(width: usize, clues: &[u8]) -> Option<u32> {
        let cells = clues.to_vec();
        let field = solve(Board { width, cells })?;
        let bits = field.cells.iter().map(|&cell| u32::from(cell));
        Some(bits.fold(0, |sum, bit| sum * 2 + bit))
    }

    /// The answer to a field's clues has these clues and does not come behind the field, nor
    /// behind any other that has them: it is the first.
    fn every_field_gives_the_first_with_its_clues(height: usize, width: usize) {
        let blocks = blocks(height, width);
        for mines in 0..1 << (height * width) {
            let clues = count(&blocks, mines);
            let found = solved(width, &clues).unwrap();
            assert!(found >= mines, "{} wide: {:?}", width, clues);
            assert!(found == mines || count(&blocks, found) == clues);
        }
    }

    #[test]
    fn every_field_of_up_to_16_cells_high() {
        for height in 2..17 {
            for width in 1..height.min(16 / height + 1) {
                every_field_gives_the_first_with_its_clues(height, width);
            }
        }
    }

    #[test]
    fn every_field_of_up_to_16_cells_wide() {
        for width in 1..17 {
            for height in 1..width.min(16 / width) + 1 {
                every_field_gives_the_first_with_its_clues(height, width);
            }
        }
    }

    /// Here facts set off implications, which takes 5x5 cells; a SAT solver told which field is
    /// the first.
    #[test]
    fn facts_and_implications_work_together() {
        for rows in &[
            ["xxxx_", "_____", "_____", "xxxx_", "____x"],
            ["___xx", "x____", "__x_x", "_xxx_", "_x___"],
            ["_x_xxx__", "______xx", "______x_", "_x_xxxxx", "x_x___x_"],
        ] {
            let width = rows[0].len();
            let symbols = rows.concat().into_bytes();
            let cells = symbols.iter().map(|&symbol| u8::from(symbol == b'x'));
            let cells = cells.collect();
            let field = Board { width, cells };
            assert_eq!(solve(count_mines(&field)), Some(field));
        }
    }

    /// Here an answer only has to be right: the tests above show that none is missing.
    #[test]
    fn no_other_board_gives_any() {
        for &(height, width) in &[(1, 1), (1, 2), (2, 1), (2, 2), (1, 4), (4, 1), (1, 5)] {
            let blocks = blocks(height, width);
            for number in 0..10_u32.pow(u32::try_from(blocks.len()).unwrap()) {
                let digits = format!("{:01$}", number, blocks.len());
                let clues: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
                if let Some(found) = solved(width, &clues) {
                    assert_eq!(count(&blocks, found), clues, "{} wide", width);
                }
            }
        }
    }
}
