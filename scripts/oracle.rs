//! The plainest right program for each of the three problems: what every other answer is held against.
//!
//! *Usage*: `oracle clues|complete|reveal < input`; the answer goes to standard output, as the program
//! of that name would print it.
//!
//! *Exit status*: 0 answered; 1 the input cannot be read (tests of `complete` before that point have been
//! answered); 2 usage; 3 the case is too large for so plain a method (what has been printed counts for nothing).
//!
//! *Method*: `clues` is backtracking, cell after cell in row-major order, a mine tried before no mine, each
//! clue compared as soon as its block is complete. `complete` tries all 2^k completions. `reveal` is a
//! breadth-first search from the click.
//!
//! *Why it is right*: each of the three is its problem's statement, written down. Nothing is deduced, nothing
//! is shared with the programs under test: neither a line nor an idea.
//!
//! *Cost*: exponential, but counted: at most `STEPS` steps, or as many as the caller wants, which are cells
//! placed (`clues`) or completions tried in all tests together (`complete`, and at most `UNKNOWNS` unknown
//! cells a test); then it gives up.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::env;
use std::io::{self, Read, Write};

/// Steps after which a case is given up; about a second.
const STEPS: u64 = 4_000_000;

/// The most unknown cells in a test of `complete`: 2^20 completions are a quarter of `STEPS`.
const UNKNOWNS: usize = 20;

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    Unreadable(String),
    TooLarge(&'static str),
}

type Board<Cell> = Vec<Vec<Cell>>;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut input = Vec::new();
    let answer = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["clues"] => clues,
        ["complete"] => complete,
        ["reveal"] => reveal,
        _ => fail(2, "usage: oracle clues|complete|reveal < input"),
    };
    if io::stdin().read_to_end(&mut input).is_err() {
        fail(1, "cannot read the input");
    }
    let mut output = String::new();
    let result = answer(&String::from_utf8_lossy(&input), &mut output);
    if io::stdout().write_all(output.as_bytes()).is_err() {
        fail(1, "cannot write the answer");
    }
    match result {
        Ok(()) => {}
        Err(Refusal::Unreadable(why)) => fail(1, &why),
        Err(Refusal::TooLarge(why)) => fail(3, why),
    }
}

fn fail(status: i32, message: &str) -> ! {
    eprintln!("oracle: {}", message);
    std::process::exit(status)
}

// ---------------------------------------------------------------- clues

/// The first mine field that gives these clues, or `-1`.
pub fn clues(input: &str, output: &mut String) -> Result<(), Refusal> {
    clues_within(STEPS, input, output)
}

pub fn clues_within(steps: u64, input: &str, output: &mut String) -> Result<(), Refusal> {
    let clues = read_clues(&mut Reader::new(input))?;
    match first_field(&clues, steps)? {
        None => output.push_str("-1\n"),
        Some(field) => {
            for row in field {
                let cells: Vec<&str> = row
                    .iter()
                    .map(|&mine| if mine { "x" } else { "_" })
                    .collect();
                output.push_str(&(cells.join(" ") + "\n"));
            }
        }
    }
    Ok(())
}

/// Backtracking. `tried[cell]` is how many of the two values of this cell have been tried;
/// behind `cell` nothing has been tried and no mine is placed.
fn first_field(clues: &[Vec<i64>], steps: u64) -> Result<Option<Board<bool>>, Refusal> {
    let columns = clues[0].len();
    let cells = clues.len() * columns;
    let mut field = vec![vec![false; columns]; clues.len()];
    let mut tried = vec![0; cells];
    let mut cell = 0;
    for _ in 0..steps {
        if cell == cells {
            return Ok(Some(field));
        }
        let (row, column) = (cell / columns, cell % columns);
        if tried[cell] < 2 {
            field[row][column] = tried[cell] == 0;
            tried[cell] += 1;
            if fits(clues, &field, row, column) {
                cell += 1;
            }
        } else if cell == 0 {
            return Ok(None);
        } else {
            tried[cell] = 0;
            cell -= 1;
        }
    }
    Err(Refusal::TooLarge("backtracking takes too long"))
}

/// Whether the clues that see this cell, the last one placed, still allow it: none is exceeded, and
/// one whose block ends here is met.
fn fits(clues: &[Vec<i64>], field: &[Vec<bool>], row: usize, column: usize) -> bool {
    block(clues, row, column).all(|(r, c)| {
        let mines = block(clues, r, c).filter(|&(y, x)| field[y][x]).count() as i64;
        let complete = block(clues, r, c).last() == Some((row, column));
        mines == clues[r][c] || (mines < clues[r][c] && !complete)
    })
}

// ---------------------------------------------------------------- complete

/// `YES` or `NO` for each test.
pub fn complete(input: &str, output: &mut String) -> Result<(), Refusal> {
    complete_within(STEPS, input, output)
}

pub fn complete_within(mut steps: u64, input: &str, output: &mut String) -> Result<(), Refusal> {
    let mut reader = Reader::new(input);
    for _ in 0..reader.count()? {
        let board = read_square(&mut reader, "*?012345678")?;
        output.push_str(if can_be_completed(&board, &mut steps)? {
            "YES\n"
        } else {
            "NO\n"
        });
    }
    Ok(())
}

/// Tries every completion: bit i of `mines` says whether the i-th unknown is a mine.
fn can_be_completed(board: &[Vec<char>], steps: &mut u64) -> Result<bool, Refusal> {
    let digits = digits_of(board)?;
    let unknowns = board.iter().flatten().filter(|&&cell| cell == '?').count();
    for mines in 0..1_u32 << unknowns {
        if digits
            .iter()
            .all(|digit| digit.known + (digit.unknown & mines).count_ones() == digit.value)
        {
            return Ok(true);
        }
        *steps = steps
            .checked_sub(1)
            .ok_or(Refusal::TooLarge("too many completions"))?;
    }
    Ok(false)
}

/// A digit, the known mines around it, and the set of the unknowns around it, numbered in row-major order.
struct Digit {
    value: u32,
    known: u32,
    unknown: u32,
}

fn digits_of(board: &[Vec<char>]) -> Result<Vec<Digit>, Refusal> {
    let mut number = vec![vec![0; board[0].len()]; board.len()];
    let mut unknowns = 0;
    for (row, column) in cells(board).filter(|&(row, column)| board[row][column] == '?') {
        number[row][column] = unknowns;
        unknowns += 1;
    }
    if unknowns > UNKNOWNS {
        return Err(Refusal::TooLarge("too many unknown cells"));
    }
    let mut digits = Vec::new();
    for (row, column) in cells(board) {
        if let Some(value) = board[row][column].to_digit(10) {
            let around =
                |wanted| block(board, row, column).filter(move |&(r, c)| board[r][c] == wanted);
            let known = around('*').count() as u32;
            let unknown = around('?').fold(0, |set, (r, c)| set | 1 << number[r][c]);
            digits.push(Digit {
                value,
                known,
                unknown,
            });
        }
    }
    Ok(digits)
}

// ---------------------------------------------------------------- reveal

/// The board after the click.
pub fn reveal(input: &str, output: &mut String) -> Result<(), Refusal> {
    let mut reader = Reader::new(input);
    reader.skip_labels("")?;
    let plain = reader
        .peek()
        .map_or(false, |first| first.is_ascii_digit() || first == '+');
    let mut board = if plain {
        read_square(&mut reader, "MEB12345678")?
    } else {
        read_quoted(&mut reader)?
    };
    let (row, column) = if plain {
        (reader.number()?, reader.number()?)
    } else {
        read_click(&mut reader)?
    };
    match cells(&board).find(|&(r, c)| (r as i64, c as i64) == (row, column)) {
        Some((row, column)) => open(&mut board, row, column),
        None => {
            return Err(Refusal::Unreadable(format!(
                "no cell {},{} to click",
                row, column
            )))
        }
    }
    for (index, row) in board.iter().enumerate() {
        if plain {
            output.extend(row);
            output.push('\n');
        } else {
            let cells: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell)).collect();
            output.push_str(if index == 0 { "[[" } else { ",[" });
            output.push_str(&(cells.join(",") + "]"));
        }
    }
    output.push_str(if plain { "" } else { "]\n" });
    Ok(())
}

/// A clicked mine explodes; a clicked `E` opens, and with it, breadth first, every neighbour of an opened blank.
fn open(board: &mut [Vec<char>], row: usize, column: usize) {
    if board[row][column] == 'M' {
        board[row][column] = 'X';
    }
    let mut queue: VecDeque<(usize, usize)> = vec![(row, column)].into();
    while let Some((row, column)) = queue.pop_front() {
        if board[row][column] != 'E' {
            continue;
        }
        let mines = block(board, row, column)
            .filter(|&(r, c)| board[r][c] == 'M')
            .count();
        if mines == 0 {
            board[row][column] = 'B';
            queue.extend(block(board, row, column));
        } else {
            board[row][column] = (b'0' + mines as u8) as char;
        }
    }
}

// ---------------------------------------------------------------- boards

/// All cells in row-major order.
fn cells<Cell>(board: &[Vec<Cell>]) -> impl Iterator<Item = (usize, usize)> {
    let (rows, columns) = (board.len(), board[0].len());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// The cells of the 3×3 block around a cell, itself included, in row-major order.
fn block<Cell>(
    board: &[Vec<Cell>],
    row: usize,
    column: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let last = (board.len() - 1, board[0].len() - 1);
    let rows = row.saturating_sub(1)..=last.0.min(row + 1);
    let columns = column.saturating_sub(1)..=last.1.min(column + 1);
    rows.flat_map(move |r| columns.clone().map(move |c| (r, c)))
}

// ---------------------------------------------------------------- reading

/// `N M` and N×M numbers, or a literal `{{1, 2}, {3, 4}}` behind any names such as `arr[][] =`.
fn read_clues(reader: &mut Reader) -> Result<Board<i64>, Refusal> {
    let named = reader.skip_labels("0123456789_[] \t\r\n")?;
    if named || reader.peek().map_or(false, |first| "[{".contains(first)) {
        return reader.rows(Reader::number);
    }
    let (rows, columns) = (reader.count()?, reader.count()?);
    (0..rows)
        .map(|_| (0..columns).map(|_| reader.number()).collect())
        .collect()
}

/// `n m` and n rows of m cells, glued or spaced.
fn read_square(reader: &mut Reader, alphabet: &str) -> Result<Board<char>, Refusal> {
    let (rows, columns) = (reader.count()?, reader.count()?);
    (0..rows)
        .map(|_| (0..columns).map(|_| reader.cell(alphabet)).collect())
        .collect()
}

/// `[["E","M"],["E","E"]]` in any quotes.
fn read_quoted(reader: &mut Reader) -> Result<Board<char>, Refusal> {
    reader.rows(|reader| {
        let quote = reader.take("a quote", |quote| "\"'‘’“”".contains(quote))?;
        let kinds = ["\"", "'", "‘’", "“”"];
        let kind = kinds.iter().find(|kind| kind.contains(quote));
        let closes = |closing| kind.map_or(false, |kind| kind.contains(closing));
        let cell = reader.take_next("a cell", |cell| "MEB12345678".contains(cell))?;
        reader.take_next("the closing quote", closes).map(|_| cell)
    })
}

/// `[row,column]`, perhaps behind a comma or semicolon and labels.
fn read_click(reader: &mut Reader) -> Result<(i64, i64), Refusal> {
    if !reader.accept(',') {
        reader.accept(';');
    }
    reader.skip_labels("")?;
    reader.expect('[')?;
    let row = reader.number()?;
    reader.expect(',')?;
    let column = reader.number()?;
    reader.expect(']').map(|()| (row, column))
}

/// The whole input, taken character by character; blanks are skipped before each token.
struct Reader {
    text: Vec<char>,
    next: usize,
}

impl Reader {
    fn new(input: &str) -> Self {
        let text = input
            .strip_prefix('\u{FEFF}')
            .unwrap_or(input)
            .chars()
            .collect();
        Reader { text, next: 0 }
    }

    fn unreadable<T>(&self, expected: &str) -> Result<T, Refusal> {
        let found = self.text.get(self.next);
        Err(Refusal::Unreadable(format!(
            "character {}: {} wanted, {:?} found",
            self.next, expected, found
        )))
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self
            .text
            .get(self.next)
            .map_or(false, |&character| " \t\r\n".contains(character))
        {
            self.next += 1;
        }
        self.text.get(self.next).copied()
    }

    fn take(&mut self, what: &str, wanted: impl Fn(char) -> bool) -> Result<char, Refusal> {
        self.peek();
        self.take_next(what, wanted)
    }

    /// The same, but no blank may come first.
    fn take_next(&mut self, what: &str, wanted: impl Fn(char) -> bool) -> Result<char, Refusal> {
        match self.text.get(self.next) {
            Some(&character) if wanted(character) => {
                self.next += 1;
                Ok(character)
            }
            _ => self.unreadable(what),
        }
    }

    fn cell(&mut self, alphabet: &str) -> Result<char, Refusal> {
        self.take("a cell", |cell| alphabet.contains(cell))
    }

    fn expect(&mut self, wanted: char) -> Result<(), Refusal> {
        self.take(&format!("{:?}", wanted), |found| found == wanted)
            .map(|_| ())
    }

    fn accept(&mut self, wanted: char) -> bool {
        self.expect(wanted).is_ok()
    }

    /// A whole number; one too large for the machine is only known to be large.
    fn number(&mut self) -> Result<i64, Refusal> {
        let sign = self.take("a sign", |sign| sign == '-' || sign == '+');
        let rest = &self.text[self.next..];
        let digits: String = rest
            .iter()
            .take_while(|digit| digit.is_ascii_digit())
            .collect();
        if digits.is_empty() {
            return self.unreadable("a number");
        }
        self.next += digits.len();
        let size = digits.parse().unwrap_or(i64::MAX);
        Ok(if let Ok('-') = sign { -size } else { size })
    }

    fn count(&mut self) -> Result<i64, Refusal> {
        match self.number()? {
            count if count >= 1 => Ok(count),
            _ => self.unreadable("a count of at least 1"),
        }
    }

    /// Names of letters, and of what else may stand inside, that end in a colon or an equals sign; whether
    /// there was one.
    fn skip_labels(&mut self, inside: &str) -> Result<bool, Refusal> {
        let letter = |character: char| character.is_ascii_alphabetic();
        let mut found = false;
        while self.take("a letter", letter).is_ok() {
            let within = |character| letter(character) || inside.contains(character);
            while self.take_next("a letter", within).is_ok() {}
            self.take("':' or '='", |end| end == ':' || end == '=')?;
            found = true;
        }
        Ok(found)
    }

    /// Rows of equal length in braces or square brackets.
    fn rows<T>(
        &mut self,
        item: impl Fn(&mut Reader) -> Result<T, Refusal>,
    ) -> Result<Board<T>, Refusal> {
        let board: Board<T> = self.list(|reader| reader.list(&item))?;
        if board.iter().any(|row| row.len() != board[0].len()) {
            return self.unreadable("rows of equal length");
        }
        Ok(board)
    }

    /// `{a, b, c}` or `[a, b, c]`, at least one item.
    fn list<T>(
        &mut self,
        item: impl Fn(&mut Reader) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let close = if self.take("'{' or '['", |open| open == '{' || open == '[')? == '{' {
            '}'
        } else {
            ']'
        };
        let mut items = vec![item(self)?];
        while self.accept(',') {
            items.push(item(self)?);
        }
        self.expect(close).map(|()| items)
    }
}
