//! Families of boards, each aimed at a corner where a program may be wrong.
//!
//! A test is drawn from its own seed: first the family, then the board. Most boards are small enough for the oracle;
//! the last family of each program is not, nor are those of `hard.rs`; planted answers or a solver tell about them.

use crate::generate::{self, Board, Random};
use crate::hard::HARD;

/// Densities of mines and shares of hidden cells, in percent, from sparse to nearly full.
const PERCENTS: [usize; 8] = [0, 10, 20, 35, 50, 65, 80, 100];

/// Unknown cells of a small test of `complete`: 2^12 completions each keep the oracle fast.
const UNKNOWNS: usize = 12;

#[derive(Clone, Copy, PartialEq)]
pub enum Program {
    Clues,
    Complete,
    Reveal,
}

/// One board, what is known of it, and where it comes from.
#[derive(Clone)]
pub struct Test {
    pub family: &'static str,
    pub seed: u64,
    pub board: Board,
    /// The cell that `reveal` is to open.
    pub click: (usize, usize),
    /// A field that fits the board for certain: it was counted from it.
    pub planted: Option<Board>,
}

/// One input. Only `complete` reads more than one test.
#[derive(Clone)]
pub struct Question {
    pub program: Program,
    pub tests: Vec<Test>,
    /// Which of the input's forms; 0 is the usual one.
    pub layout: usize,
}

impl Program {
    pub fn named(name: &str) -> Option<Self> {
        let all = [Program::Clues, Program::Complete, Program::Reveal];
        all.iter().copied().find(|program| program.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Program::Clues => "clues",
            Program::Complete => "complete",
            Program::Reveal => "reveal",
        }
    }

    /// The families whose name begins so.
    pub fn families(self, name: &str) -> Vec<Family> {
        let (first, more): (&[Family], &[Family]) = match self {
            Program::Clues => (&CLUES, &[]),
            Program::Complete => (&COMPLETE, &HARD),
            Program::Reveal => (&REVEAL, &[]),
        };
        let all = first.iter().chain(more).copied();
        all.filter(|family| family.0.starts_with(name)).collect()
    }
}

impl Test {
    /// The test of this seed; `side` bounds the sides of small boards. There is at least one family.
    pub fn draw(families: &[Family], seed: u64, side: usize) -> Self {
        let random = &mut Random(seed);
        let all = families.iter().map(|&(_, weight, _)| weight).sum();
        let mut ticket = random.below(all);
        let mut chosen = families.iter().skip_while(|&&(_, weight, _)| {
            let passed = ticket >= weight;
            ticket -= if passed { weight } else { 0 };
            passed
        });
        let &(family, _, draw) = chosen.next().unwrap_or(&families[0]);
        let (board, planted) = draw(random, side);
        let click = (random.below(board.rows), random.below(board.columns));
        Test {
            family,
            seed,
            board,
            click,
            planted,
        }
    }
}

impl Question {
    /// The layout is drawn from the first test's seed, most often the usual one.
    pub fn new(program: Program, tests: Vec<Test>) -> Self {
        let layout = Random(!tests[0].seed).below(12).saturating_sub(6);
        Question {
            program,
            tests,
            layout,
        }
    }

    /// The input.
    pub fn text(&self) -> String {
        let test = &self.tests[0];
        let usual = match self.program {
            Program::Clues => clues_text(test, self.layout),
            Program::Complete => {
                let tests = self
                    .tests
                    .iter()
                    .map(|test| complete_text(test, self.layout));
                format!("{}\n{}", self.tests.len(), tests.collect::<String>())
            }
            Program::Reveal => reveal_text(test, self.layout),
        };
        match self.layout {
            1 => usual.replace('\n', "\r\n"),
            2 => format!("\u{feff}{}", usual.trim_end()),
            3 => usual.replace('\n', "\n\n\t"),
            _ => usual,
        }
    }
}

/// Rows of numbers, or the board as a statement prints it.
fn clues_text(test: &Test, layout: usize) -> String {
    let rows = test.board.cells.chunks(test.board.columns).map(|row| {
        let clues: Vec<String> = row
            .iter()
            .map(|&clue| char::from(clue).to_string())
            .collect();
        format!("{{{}}}", clues.join(", "))
    });
    let literal = format!("{{{}}}\n", rows.collect::<Vec<_>>().join(",\n"));
    match layout {
        4 => format!("arr[][] = {}", literal),
        5 => literal.replace('{', "[").replace('}', "]"),
        _ => text(|output| generate::write_clues(&test.board, output)),
    }
}

/// Cells glued or spaced.
fn complete_text(test: &Test, layout: usize) -> String {
    let glued = text(|output| generate::write_board(&test.board, output));
    match (layout, glued.split_once('\n')) {
        (4, Some((sides, cells))) => format!("{}\n{}", sides, cells.replace("", " ")),
        _ => glued,
    }
}

/// JSON in double or single quotes, or plain rows.
fn reveal_text(test: &Test, layout: usize) -> String {
    let (row, column) = test.click;
    if layout == 4 {
        let board = text(|output| generate::write_board(&test.board, output));
        return format!("{}{} {}\n", board, row, column);
    }
    let board = text(|output| generate::write_json(&test.board, output));
    let json = format!("{}[{},{}]\n", board, row, column);
    match layout {
        5 => format!("board = {}", json.replace(',', ", ").replace('"', "'")),
        _ => json,
    }
}

/// What `write` writes.
fn text(write: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut output = Vec::new();
    write(&mut output).expect("writing to memory does not fail");
    String::from_utf8(output).expect("boards are ASCII")
}

/// A board, and a field that fits it if one is known.
pub type Drawn = (Board, Option<Board>);

/// A name, how many tickets of the lottery it has, and how it is drawn.
pub type Family = (&'static str, usize, fn(&mut Random, usize) -> Drawn);

fn percent(random: &mut Random) -> usize {
    PERCENTS[random.below(PERCENTS.len())]
}

/// A side of 1 to `most`; more often than not one of 2 modulo 3, where `clues` is free to choose.
fn side(random: &mut Random, most: usize) -> usize {
    let side = 1 + random.below(most);
    if random.chance(40) && most >= 2 {
        2 + (side - 1) / 3 * 3
    } else {
        side
    }
    .min(most)
}

fn small_field(random: &mut Random, most: usize) -> Board {
    let (rows, columns) = (side(random, most), side(random, most));
    let density = percent(random);
    generate::field(rows, columns, density, random)
}

// ---------------------------------------------------------------- clues

const CLUES: [Family; 7] = [
    ("true clues", 20, true_clues),
    ("one or two clues moved by one", 20, moved_clues),
    (
        "a cell of two mines or of minus one",
        20,
        whole_number_clues,
    ),
    ("regular fields, a few cells flipped", 15, regular_clues),
    ("one row or column replaced by another's", 10, mixed_clues),
    ("any clues at all", 10, any_clues),
    ("larger", 3, larger_clues),
];

fn true_clues(random: &mut Random, most: usize) -> Drawn {
    let field = small_field(random, most);
    (generate::clues_of(&field), Some(field))
}

fn moved_clues(random: &mut Random, most: usize) -> Drawn {
    let mut clues = generate::clues_of(&small_field(random, most));
    let count = 1 + random.below(2);
    generate::spoil(&mut clues, count, b'9', random);
    (clues, None)
}

/// The clues of whole numbers that are not all 0 or 1: they pass every sum and fail in a cell, or are saved
/// by a free direction.
fn whole_number_clues(random: &mut Random, most: usize) -> Drawn {
    let field = small_field(random, most);
    let mut clues = generate::clues_of(&field);
    for _ in 0..1 + random.below(3) {
        add(&mut clues, random);
    }
    (clues, None)
}

/// Adds or takes one mine in some cell, where all its clues stay digits.
fn add(clues: &mut Board, random: &mut Random) {
    let (row, column) = (random.below(clues.rows), random.below(clues.columns));
    let block: Vec<_> = clues.block(row, column).collect();
    let up = random.chance(50);
    let stays = |&place: &(usize, usize)| clues[place] != if up { b'9' } else { b'0' };
    if block.iter().all(stays) {
        for place in block {
            clues[place] = if up {
                clues[place] + 1
            } else {
                clues[place] - 1
            };
        }
    }
}

/// Stripes, chessboards, every third diagonal: fields that the free directions can move as a whole.
fn regular_clues(random: &mut Random, most: usize) -> Drawn {
    let (rows, columns) = (side(random, most), side(random, most));
    let (down, right, step) = (random.below(3), random.below(3), 2 + random.below(2));
    let mut field = Board::new(rows, columns, 0);
    for row in 0..rows {
        for column in 0..columns {
            field[(row, column)] = u8::from((row * down + column * right) % step == 0);
        }
    }
    for _ in 0..random.below(3) {
        let cell = random.below(field.cells.len());
        field.cells[cell] ^= 1;
    }
    (generate::clues_of(&field), Some(field))
}

/// Half of one board and half of another: each row may be fine by itself.
fn mixed_clues(random: &mut Random, most: usize) -> Drawn {
    let (rows, columns) = (side(random, most), side(random, most));
    let mut boards = [0, 0].map(|_| {
        let density = percent(random);
        generate::clues_of(&generate::field(rows, columns, density, random))
    });
    let cut = random.below(rows * columns);
    let [ref mut first, ref second] = boards;
    first.cells[cut..].copy_from_slice(&second.cells[cut..]);
    let [first, _] = boards;
    (first, None)
}

/// Arbitrary digits on very small boards; hardly any has a field.
fn any_clues(random: &mut Random, _: usize) -> Drawn {
    let mut clues = Board::new(1 + random.below(3), 1 + random.below(3), b'0');
    let largest = 2 + random.below(8);
    for clue in &mut clues.cells {
        *clue += random.below(largest) as u8;
    }
    (clues, None)
}

fn larger_clues(random: &mut Random, _: usize) -> Drawn {
    let field = small_field(random, 40);
    let mut clues = generate::clues_of(&field);
    match random.below(3) {
        0 => (clues, Some(field)),
        1 => {
            generate::spoil(&mut clues, 1, b'9', random);
            (clues, None)
        }
        _ => {
            add(&mut clues, random);
            (clues, None)
        }
    }
}

// ---------------------------------------------------------------- complete

const COMPLETE: [Family; 9] = [
    ("hidden cells of true boards, digits moved", 25, near),
    ("boards in mid-play", 10, mid_play),
    ("lattices of digits", 15, lattices),
    ("dominoes", 10, dominoes),
    ("a digit here and there", 10, sparse),
    ("strips", 10, strips),
    ("wires", 8, wires),
    ("any cells at all", 10, any_cells),
    ("larger", 2, larger_boards),
];

/// Most completions of such a board are wrong, and about half of the boards have none.
fn near(random: &mut Random, most: usize) -> Drawn {
    let field = small_field(random, most);
    let mut board = generate::known(&field);
    let hidden = percent(random);
    generate::hide(&mut board, hidden, UNKNOWNS, random);
    finish(board, field, random)
}

/// Moves a digit or two, or none: then the field is known to fit.
fn finish(mut board: Board, field: Board, random: &mut Random) -> Drawn {
    let moved = random.below(3);
    generate::spoil(&mut board, moved, b'8', random);
    (board, Some(field).filter(|_| moved == 0))
}

/// What a player sees: digits where it is opened, `?` elsewhere.
fn mid_play(random: &mut Random, most: usize) -> Drawn {
    let (rows, columns) = (side(random, most), side(random, most));
    let (mut board, _) = generate::play(rows, columns, 20, random);
    let mut field = Board::new(rows, columns, 0);
    for (cell, mine) in board.cells.iter_mut().zip(&mut field.cells) {
        *mine = u8::from(*cell == b'M');
        *cell = match *cell {
            b'M' | b'E' => b'?',
            b'B' => b'0',
            digit => digit,
        };
    }
    finish(board, field, random)
}

/// Digits in every second or third row and column, all else unknown.
fn lattices(random: &mut Random, _: usize) -> Drawn {
    let (rows, columns) = [(3, 5), (5, 3), (4, 4), (3, 6), (2, 7), (5, 4), (3, 3)][random.below(7)];
    let (step, first) = (2 + random.below(2), random.below(2));
    let is_digit = |row: usize, column: usize| row % step == first && column % 2 == first;
    let mut board = Board::new(rows, columns, b'?');
    let field = hidden_but(&mut board, is_digit, random);
    finish(board, field, random)
}

/// Gives the chosen cells of an unknown board the digits of a random field, and returns that field.
fn hidden_but(
    board: &mut Board,
    is_digit: impl Fn(usize, usize) -> bool,
    random: &mut Random,
) -> Board {
    let mut field = generate::field(board.rows, board.columns, 50, random);
    let places = (0..board.cells.len()).map(|cell| (cell / board.columns, cell % board.columns));
    let digits: Vec<_> = places
        .filter(|&(row, column)| is_digit(row, column))
        .collect();
    for &place in &digits {
        field[place] = 0;
    }
    let clues = generate::clues_of(&field);
    for place in digits {
        board[place] = clues[place];
    }
    field
}

/// Squares to be covered in pairs, some joined askew: matchings, many of them impossible.
fn dominoes(random: &mut Random, _: usize) -> Drawn {
    let squares = generate::field(2 + random.below(2), 2 + random.below(2), 85, random);
    let askew = percent(random);
    let mut board = generate::dominoes(&squares, |_, _, corners| {
        if corners >= 2 && random.chance(askew) {
            b'?'
        } else {
            b'*'
        }
    });
    for cell in board.cells.iter_mut().filter(|cell| **cell == b'9') {
        *cell = b'8';
    }
    (board, None)
}

/// Digits in a few places, which share many unknowns.
fn sparse(random: &mut Random, _: usize) -> Drawn {
    let (rows, columns) = [(3, 5), (4, 4), (2, 6), (5, 3), (3, 4)][random.below(5)];
    let mut board = Board::new(rows, columns, b'?');
    let chosen = generate::field(rows, columns, 35, random);
    let field = hidden_but(&mut board, |row, column| chosen[(row, column)] == 1, random);
    finish(board, field, random)
}

/// One to three rows or columns.
fn strips(random: &mut Random, _: usize) -> Drawn {
    let (long, short) = (1 + random.below(14), 1 + random.below(3));
    let (rows, columns) = if random.chance(50) {
        (short, long)
    } else {
        (long, short)
    };
    let density = percent(random);
    let field = generate::field(rows, columns, density, random);
    let mut board = generate::known(&field);
    generate::hide(&mut board, 65, UNKNOWNS, random);
    finish(board, field, random)
}

/// Pairs of unknowns, equal or opposite along a row of ones; the ends agree or not.
fn wires(random: &mut Random, _: usize) -> Drawn {
    let pairs = 1 + random.below(UNKNOWNS / 2);
    let mut board = Board::new(3, 3 * pairs - 1, b'1');
    for pair in 0..pairs {
        board[(1, 3 * pair)] = b'?';
        board[(1, 3 * pair + 1)] = b'?';
    }
    for end in [0, 1, 3 * pairs - 3, 3 * pairs - 2] {
        if random.chance(30) {
            board[(1, end)] = b'*';
        }
    }
    let broken = random.below(2);
    generate::spoil(&mut board, broken, b'8', random);
    (board, None)
}

/// Every character anywhere.
fn any_cells(random: &mut Random, _: usize) -> Drawn {
    let mut board = Board::new(1 + random.below(4), 1 + random.below(3), b'?');
    let alphabet = b"????**0112233445678";
    for cell in &mut board.cells {
        *cell = alphabet[random.below(alphabet.len())];
    }
    (board, None)
}

/// Beyond the oracle: hidden boards, from nearly known to unknown.
fn larger_boards(random: &mut Random, _: usize) -> Drawn {
    let (rows, columns) = (1 + random.below(40), 1 + random.below(40));
    let density = [15, 30, 50][random.below(3)];
    let field = generate::field(rows, columns, density, random);
    let mut board = generate::known(&field);
    let hidden = 30 + random.below(70);
    generate::hide(&mut board, hidden, usize::MAX, random);
    finish(board, field, random)
}

// ---------------------------------------------------------------- reveal

const REVEAL: [Family; 4] = [
    ("boards in mid-play", 50, play),
    ("any cells at all", 20, any_play),
    ("few mines, widths around 64", 20, wide_play),
    ("larger", 10, larger_play),
];

fn play(random: &mut Random, most: usize) -> Drawn {
    let (rows, columns) = (1 + random.below(most), 1 + random.below(most));
    let density = percent(random) / 2;
    (generate::play(rows, columns, density, random).0, None)
}

/// Boards that no game leads to: revealed cells that say nothing about their neighbours.
fn any_play(random: &mut Random, most: usize) -> Drawn {
    let mut board = Board::new(1 + random.below(most), 1 + random.below(most), b'E');
    let alphabet = b"EEEEEEEEEEEEEEEEEEMB1345678"; // 2 is left to boards that are played
    for cell in &mut board.cells {
        *cell = alphabet[random.below(alphabet.len())];
    }
    (board, None)
}

fn wide_play(random: &mut Random, _: usize) -> Drawn {
    let columns = [62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 192, 193][random.below(12)];
    let (rows, density) = (1 + random.below(6), 1 + random.below(8));
    (generate::play(rows, columns, density, random).0, None)
}

fn larger_play(random: &mut Random, _: usize) -> Drawn {
    let (rows, columns) = (1 + random.below(70), 1 + random.below(70));
    let density = random.below(20);
    (generate::play(rows, columns, density, random).0, None)
}
