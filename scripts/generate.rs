//! Boards for the three programs: random ones, boards in mid-play, and boards built to be hard.
//!
//! *Usage*: see `generate.sh`, which builds and runs this file; `stress.rs` draws its boards from here too.
//!
//! *Method*: a field of mines is drawn, counted, and partly hidden. Every draw is one step of splitmix64
//! compared with a whole number, cells in row-major order, so the same seed gives the same bytes on every
//! machine; there is no float and no other source of chance.
//!
//! *Cost*: O(cells), two bytes of memory a cell (three for `complete`); 10,000×10,000 takes about a second.
//!
//! *Exit status*: 0 done (also when the reader went away); 1 the output cannot be written; 2 bad arguments.

#![forbid(unsafe_code)]

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, BufWriter, Write};
use std::ops::{Index, IndexMut};

/// Cells of a board are few enough for `Random::below`.
const MOST_CELLS: u64 = 1 << 32;

/// Splitmix64 (Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    /// The next 64 random bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number below `bound`, which is at most 2^32.
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.draw() >> 32) * bound as u64) >> 32) as usize
    }

    /// True `percent` times out of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A board of bytes: 0 and 1 in a field of mines, else the characters that stand in the output.
#[derive(Clone, PartialEq)]
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    pub cells: Vec<u8>,
}

impl Board {
    pub fn new(rows: usize, columns: usize, cell: u8) -> Self {
        Board {
            rows,
            columns,
            cells: vec![cell; rows * columns],
        }
    }

    /// The cells of the 3×3 block around a cell, itself included.
    pub fn block(&self, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
        let rows = row.saturating_sub(1)..self.rows.min(row + 2);
        let columns = column.saturating_sub(1)..self.columns.min(column + 2);
        rows.flat_map(move |r| columns.clone().map(move |c| (r, c)))
    }

    /// How often `cell` stands in the block around a cell.
    fn around(&self, row: usize, column: usize, cell: u8) -> u8 {
        self.block(row, column)
            .filter(|&place| self[place] == cell)
            .count() as u8
    }
}

impl Index<(usize, usize)> for Board {
    type Output = u8;

    fn index(&self, (row, column): (usize, usize)) -> &u8 {
        &self.cells[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Board {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut u8 {
        &mut self.cells[row * self.columns + column]
    }
}

// ---------------------------------------------------------------- random boards

/// A field in which each cell is a mine with a chance of `density` percent.
pub fn field(rows: usize, columns: usize, density: usize, random: &mut Random) -> Board {
    let mut field = Board::new(rows, columns, 0);
    for cell in &mut field.cells {
        *cell = u8::from(random.chance(density));
    }
    field
}

/// The clues of a field: for each cell the mines in its 3×3 block, as a digit.
pub fn clues_of(field: &Board) -> Board {
    let columns = field.columns;
    let mut clues = Board::new(field.rows, columns, b'0');
    let mut sums = vec![0; columns + 2];
    for (row, clues) in clues.cells.chunks_mut(columns).enumerate() {
        sums[1..=columns].fill(0);
        for near in row.saturating_sub(1)..field.rows.min(row + 2) {
            let mines = &field.cells[near * columns..][..columns];
            sums[1..]
                .iter_mut()
                .zip(mines)
                .for_each(|(sum, mine)| *sum += mine);
        }
        for (clue, near) in clues.iter_mut().zip(sums.windows(3)) {
            *clue += near[0] + near[1] + near[2];
        }
    }
    clues
}

/// A fully known board for `complete`: `*` for a mine, else the number of mines around.
pub fn known(field: &Board) -> Board {
    let mut board = clues_of(field);
    for (cell, &mine) in board.cells.iter_mut().zip(&field.cells) {
        *cell = if mine == 1 { b'*' } else { *cell };
    }
    board
}

/// Turns each cell into `?` with a chance of `hidden` percent, then all but `most` of those back.
pub fn hide(board: &mut Board, hidden: usize, most: usize, random: &mut Random) {
    let hide: Vec<bool> = board.cells.iter().map(|_| random.chance(hidden)).collect();
    let mut keep = choice(hide.iter().filter(|&&hide| hide).count(), most);
    for (cell, _) in board.cells.iter_mut().zip(hide).filter(|&(_, hide)| hide) {
        *cell = if keep(random) { b'?' } else { *cell };
    }
}

/// Moves `count` of the digits by one, none above `largest`.
pub fn spoil(board: &mut Board, count: usize, largest: u8, random: &mut Random) {
    let digits = board
        .cells
        .iter()
        .filter(|cell| cell.is_ascii_digit())
        .count();
    let mut chosen = choice(digits, count);
    for cell in board.cells.iter_mut().filter(|cell| cell.is_ascii_digit()) {
        if chosen(random) {
            let up = *cell == b'0' || (*cell < largest && random.chance(50));
            *cell = if up { *cell + 1 } else { *cell - 1 };
        }
    }
}

/// Chooses `count` out of `total` things, asked one after the other; every choice is equally likely.
fn choice(mut total: usize, mut count: usize) -> impl FnMut(&mut Random) -> bool {
    move |random| {
        let chosen = random.below(total) < count;
        total -= 1;
        count -= usize::from(chosen);
        chosen
    }
}

/// A board in mid-play, up to three clicks old, and the next click: mostly on a safe cell.
pub fn play(
    rows: usize,
    columns: usize,
    density: usize,
    random: &mut Random,
) -> (Board, (usize, usize)) {
    let field = field(rows, columns, density, random);
    let clues = clues_of(&field);
    let mut board = Board::new(rows, columns, b'E');
    for (cell, _) in board
        .cells
        .iter_mut()
        .zip(&field.cells)
        .filter(|&(_, &mine)| mine == 1)
    {
        *cell = b'M';
    }
    for _ in 0..random.below(4) {
        let click = (random.below(rows), random.below(columns));
        open(&mut board, &clues, click);
    }
    let mut click = (random.below(rows), random.below(columns));
    for _ in 0..random.below(20) {
        if board[click] != b'E' {
            click = (random.below(rows), random.below(columns));
        }
    }
    (board, click)
}

/// Opens a safe cell, and the cells around every blank one.
fn open(board: &mut Board, clues: &Board, click: (usize, usize)) {
    let mut waiting = vec![click];
    while let Some(place) = waiting.pop() {
        if board[place] == b'E' && clues[place] == b'0' {
            board[place] = b'B';
            waiting.extend(board.block(place.0, place.1));
        } else if board[place] == b'E' {
            board[place] = clues[place];
        }
    }
}

// ---------------------------------------------------------------- boards built to be hard

/// A name and how to make such a board of a SIZE.
pub type Kind = (&'static str, fn(usize, &mut Random) -> Board);

/// The kinds of hard boards for `complete`. SIZE is the side of the board in digits (patterns, planted mines: in
/// cells). A kind that is NO has one beside it that lacks its fault.
pub const KINDS: [Kind; 20] = [
    ("lattice", lattice),
    ("parity", parity),
    ("even-parity", even_parity),
    ("threes", threes),
    ("even-threes", even_threes),
    ("strip", strip),
    ("even-strip", even_strip),
    ("pattern-a", pattern_a),
    ("pattern-c", pattern_c),
    ("pattern-d", pattern_d),
    ("planted-mines", planted_mines),
    ("mutilated", mutilated),
    ("two-out", two_out),
    ("holed", holed),
    ("dumbbell", dumbbell),
    ("bridged", bridged),
    ("hybrid", hybrid),
    ("bridged-hybrid", bridged_hybrid),
    ("odd-matching", odd_matching),
    ("degrees", degrees),
];

/// YES. A digit in every second row and column, all else unknown. No digit tells anything by itself, and
/// every guess reaches its neighbours only through cells that four digits share.
pub fn lattice(size: usize, random: &mut Random) -> Board {
    planted(
        2 * size,
        2 * size,
        |row, column| row % 2 == 0 && column % 2 == 0,
        random,
    )
}

/// NO. A lattice with digits on all four sides: each unknown touches two or four digits, so their sum must be
/// even; one digit moved makes it odd. A search meets that fault only when all but everything is set.
pub fn parity(size: usize, random: &mut Random) -> Board {
    let mut board = even_parity(size, random);
    spoil(&mut board, 1, b'8', random);
    board
}

/// YES. The parity lattice as it was before: no sum tells it from one that has no completion.
pub fn even_parity(size: usize, random: &mut Random) -> Board {
    let lattice = |row, column| row % 2 == 0 && column % 2 == 0;
    planted(2 * size - 1, 2 * size - 1, lattice, random)
}

/// NO by the same sum: an odd number of threes is odd. Every digit is the same, so nothing tells where to begin.
/// SIZE is rounded up to an odd number.
pub fn threes(size: usize, _: &mut Random) -> Board {
    all_threes(size | 1)
}

/// YES. As many threes as fall into blocks of two by two, whose five unknowns between them are mines; the board looks
/// just like one that has no completion. SIZE is rounded up to an even number.
pub fn even_threes(size: usize, _: &mut Random) -> Board {
    all_threes(size + size % 2)
}

/// NO. The parity lattice again, five rows high and long: the fault is spread over all its columns, so learnt
/// facts stay local and none of them helps at the other end.
pub fn strip(size: usize, random: &mut Random) -> Board {
    let mut board = even_strip(size, random);
    spoil(&mut board, 1, b'8', random);
    board
}

/// YES. The strip without its fault.
pub fn even_strip(size: usize, random: &mut Random) -> Board {
    let lattice = |row, column| row % 2 == 0 && column % 2 == 0;
    planted(5, 2 * size - 1, lattice, random)
}

/// YES. Two digits in seven, each beside seven unknowns, each unknown beside two to four digits: loose enough that
/// no digit forces anything, tight enough that most guesses are wrong.
pub fn pattern_a(size: usize, random: &mut Random) -> Board {
    planted(
        size,
        size,
        |row, column| (row + 2 * column) % 7 % 5 == 0,
        random,
    )
}

/// YES. Digits on every third diagonal: six unknowns to a digit, three digits to an unknown, all alike.
pub fn pattern_c(size: usize, random: &mut Random) -> Board {
    planted(
        size,
        size,
        |row, column| (row + 2 * column) % 3 == 0,
        random,
    )
}

/// YES. As many digits again, in pairs one below the other: a pair shares four unknowns, so digits that nearly
/// agree tell little, each time.
pub fn pattern_d(size: usize, random: &mut Random) -> Board {
    planted(size, size, |row, column| (row + 4 * column) % 6 < 2, random)
}

/// YES. Three cells in ten are mines; all of those are hidden, and half of the digits: few digits settle anything, and
/// the loose and the tight places lie side by side.
pub fn planted_mines(size: usize, random: &mut Random) -> Board {
    let mut board = known(&field(size, size, 30, random));
    hide(&mut board, 50, usize::MAX, random);
    for cell in board.cells.iter_mut().filter(|cell| **cell == b'*') {
        *cell = b'?';
    }
    board
}

/// NO. Dominoes on a square without two opposite corners: those have one colour of the chessboard, a domino
/// covers one of each. Resolution, and with it any search that learns clauses, needs exponential time.
pub fn mutilated(size: usize, _: &mut Random) -> Board {
    let mut squares = Board::new(size, size, 1);
    squares[(0, 0)] = 0;
    squares[(size - 1, size - 1)] = 0;
    dominoes(&squares, |_, _, _| b'*')
}

/// YES or NO as the seed has it. Dominoes on a square without any two of its squares: YES if those differ in colour
/// (Gomory), NO if not. One step of one of them turns the answer, and nothing near it tells. SIZE is rounded up to
/// an even number.
pub fn two_out(size: usize, random: &mut Random) -> Board {
    let size = size + size % 2;
    let differ = random.below(2);
    let mut squares = Board::new(size, size, 1);
    let (row, column) = (random.below(size), random.below(size));
    squares[(row, column)] = 0;
    loop {
        let (other_row, other_column) = (random.below(size), random.below(size));
        let steps = row + column + other_row + other_column;
        if steps % 2 == differ && squares[(other_row, other_column)] == 1 {
            squares[(other_row, other_column)] = 0;
            return dominoes(&squares, |_, _, _| b'*');
        }
    }
}

/// YES. A square laid with dominoes, a quarter of them taken out: a tiling is left, but nothing shows it.
pub fn holed(size: usize, random: &mut Random) -> Board {
    let mut squares = Board::new(size, 2 * (size / 2), 1);
    for row in 0..size {
        for column in (0..size - 1).step_by(2) {
            let present = u8::from(!random.chance(25));
            squares[(row, column)] = present;
            squares[(row, column + 1)] = present;
        }
    }
    dominoes(&squares, |_, _, _| b'*')
}

/// NO. Two squares; the left has lost white cells, the right as many black ones. So the left has black cells over,
/// each must take a bridge to the right, and there is one bridge too few (Hall). In all, the colours agree.
pub fn dumbbell(size: usize, random: &mut Random) -> Board {
    two_squares(size, 0, 0, random)
}

/// YES, unless a missing square has taken a bridge with it. The dumbbell with the one bridge more that it needs: each
/// must be used, and both squares must be covered around them.
pub fn bridged(size: usize, random: &mut Random) -> Board {
    two_squares(size, 1, 0, random)
}

/// NO. The dumbbell with some cells between four squares unknown as well: such a mine covers two black and two white
/// squares of one side, so the count of colours still holds, but this is no tiling any more.
pub fn hybrid(size: usize, random: &mut Random) -> Board {
    two_squares(size, 0, 30, random)
}

/// YES, unless a missing square has taken a bridge with it. The hybrid with the one bridge more that it needs.
pub fn bridged_hybrid(size: usize, random: &mut Random) -> Board {
    two_squares(size, 1, 30, random)
}

/// YES or NO as the seed has it. Dominoes on a square with holes, some of them laid askew across a hole: colours
/// say nothing, only Tutte's count of odd components does. The number of squares is even.
pub fn odd_matching(size: usize, random: &mut Random) -> Board {
    loop {
        let squares = field(size, size, 80, random);
        let even = squares.cells.iter().filter(|&&cell| cell == 1).count() % 2 == 0;
        let board = dominoes(
            &squares,
            |_, _, corners| if corners == 2 { b'?' } else { b'*' },
        );
        if even && !board.cells.contains(&b'9') {
            return board;
        }
    }
}

/// YES. The squares of an odd matching, but each wants as many of its neighbours as a random choice gave it, from none
/// to all: a factor of given degrees, with every trap of matchings and none of their regularity.
pub fn degrees(size: usize, random: &mut Random) -> Board {
    let squares = field(size, size, 80, random);
    let askew = |_, _, corners| if corners == 2 { b'?' } else { b'*' };
    let mut board = dominoes(&squares, askew);
    let mut mines = board.clone();
    for cell in mines.cells.iter_mut().filter(|cell| **cell == b'?') {
        *cell = if random.chance(40) { b'*' } else { b'?' };
    }
    count_mines(&mut board, &mines, b'0');
    board
}

/// The kinds of boards for `clues` that leave much open for long; the maker returns the clues.
pub const CLUE_KINDS: [Kind; 3] = [
    ("checkerboard", checkerboard),
    ("chain", chain),
    ("broken-chain", broken_chain),
];

/// Clues of 4 and 5 only (at the sides 2 and 3): not one of them is all or nothing, so no cell is plain to see.
fn checkerboard(size: usize, _: &mut Random) -> Board {
    let cells = |row| (0..size).map(move |column| 1 - ((row + column) % 2) as u8);
    let cells = (0..size).flat_map(cells).collect();
    clues_of(&Board {
        rows: size,
        columns: size,
        cells,
    })
}

/// A side of 2 modulo 3, rounded up, so that rows and columns are free, each third one apart, which is random. The
/// first row is a free choice a column, and choice t decides choice t + 1 through row t + 1 alone: what looks
/// independent is one long chain, and a program that does not look at its choices again goes wrong or slow.
fn chain(size: usize, random: &mut Random) -> Board {
    let side = size + (8 - size % 3) % 3;
    let mut field = field(side, side, 50, random);
    let free = |line: usize| line % 3 < 2;
    for row in (0..side).filter(|&row| free(row)) {
        for column in (0..side).filter(|&column| free(column)) {
            let (link, choice) = (2 * (row / 3) + row % 3, 2 * (column / 3) + column % 3);
            let above = row > 0 && (choice + 1 == link || choice > link);
            field[(row, column)] = u8::from(above != ((row + column) % 3 == 1));
        }
    }
    clues_of(&field)
}

/// -1. The chain with two mines in its bottom left cell: its last row then wants the first choice one way and the
/// last choice the other way, which only the whole chain forbids.
fn broken_chain(size: usize, random: &mut Random) -> Board {
    let mut clues = chain(size, random);
    for place in clues.block(clues.rows - 1, 0) {
        clues[place] += 1;
    }
    clues
}

/// A board for `reveal`: walls of mines that leave one lane, three cells wide, winding from the top to the bottom.
/// Opened from its end, a program that recurses goes as deep as the lane is long.
fn serpentine(size: usize, _: &mut Random) -> Board {
    let mut board = Board::new(size, size, b'E');
    for row in (3..size).step_by(4) {
        let gap = if row % 8 == 3 {
            size - 3.min(size)..size
        } else {
            0..3.min(size)
        };
        for column in (0..size).filter(|column| !gap.contains(column)) {
            board[(row, column)] = b'M';
        }
    }
    board
}

/// Random mines, half of all cells; then everything is hidden but the chosen cells, which become digits.
fn planted(
    rows: usize,
    columns: usize,
    is_digit: impl Fn(usize, usize) -> bool,
    random: &mut Random,
) -> Board {
    let mut field = field(rows, columns, 50, random);
    let places = |row| (0..columns).map(move |column| (row, column));
    for place in (0..rows)
        .flat_map(places)
        .filter(|&(row, column)| is_digit(row, column))
    {
        field[place] = 0;
    }
    let mut board = clues_of(&field);
    for place in (0..rows)
        .flat_map(places)
        .filter(|&(row, column)| !is_digit(row, column))
    {
        board[place] = b'?';
    }
    board
}

/// A board whose completions are the ways to cover the given squares with dominoes: a digit on every square, at
/// even row and column, an unknown between two neighbours, known mines elsewhere, and each digit one more
/// than the known mines around it. `corner(row, column, squares)` is the cell between four places.
pub fn dominoes(squares: &Board, mut corner: impl FnMut(usize, usize, usize) -> u8) -> Board {
    let mut board = Board::new(2 * squares.rows - 1, 2 * squares.columns - 1, b'*');
    for row in 0..board.rows {
        for column in 0..board.columns {
            let corners = touching(squares, row, column);
            board[(row, column)] = match (row % 2, column % 2) {
                (0, 0) if corners == 1 => b'0',
                (1, 1) => corner(row, column, corners),
                (0, 1) | (1, 0) if corners == 2 => b'?',
                _ => b'*',
            };
        }
    }
    add_known(&mut board);
    board
}

/// A lattice of threes with digits on all four sides.
fn all_threes(size: usize) -> Board {
    let mut board = Board::new(2 * size - 1, 2 * size - 1, b'?');
    for row in (0..board.rows).step_by(2) {
        for column in (0..board.columns).step_by(2) {
            board[(row, column)] = b'3';
        }
    }
    board
}

/// How many of the squares a cell of the board lies on or touches.
fn touching(squares: &Board, row: usize, column: usize) -> usize {
    let rows = row / 2..=row / 2 + row % 2;
    let columns = column / 2..=column / 2 + column % 2;
    rows.flat_map(|r| columns.clone().map(move |c| (r, c)))
        .filter(|&place| squares[place] == 1)
        .count()
}

/// Sets every digit to one more than the known mines around it.
fn add_known(board: &mut Board) {
    let known = board.clone();
    count_mines(board, &known, b'1');
}

/// Sets every digit to the mines around it, counted from `none` on.
fn count_mines(board: &mut Board, mines: &Board, none: u8) {
    for row in (0..board.rows).step_by(2) {
        for column in (0..board.columns).step_by(2) {
            if board[(row, column)] != b'*' {
                board[(row, column)] = none + mines.around(row, column, b'*');
            }
        }
    }
}

/// The dumbbell, its cells between four squares unknown with a chance of `corners` percent. SIZE is rounded up to an
/// even number. Bridges, `more` than it has, go from a black square on the left to a white one on the right.
fn two_squares(size: usize, more: usize, corners: usize, random: &mut Random) -> Board {
    let size = size + size % 2;
    let middle = 2 * size - 1;
    loop {
        let squares = lopsided(size, random);
        let mut bridges = bridges(size) + more;
        let mut board = dominoes(&squares, |_, column, squares| {
            let unknown = squares == 4 && column != middle && random.chance(corners);
            if unknown {
                b'?'
            } else {
                b'*'
            }
        });
        for row in 0..board.rows {
            let bridge = bridges > 0 && row % 4 == 2 && board[(row, middle)] == b'?';
            bridges -= usize::from(bridge);
            board[(row, middle)] = if bridge { b'?' } else { b'*' };
        }
        add_known(&mut board);
        if !board.cells.contains(&b'9') {
            return board;
        }
    }
}

/// How many bridges a dumbbell has: one less than it needs.
fn bridges(size: usize) -> usize {
    size / 4
}

/// Two squares side by side. The left one lacks one white cell more than there are bridges, the right one as many
/// black ones; black is where row + column is even.
fn lopsided(size: usize, random: &mut Random) -> Board {
    let mut squares = Board::new(size, 2 * size, 1);
    for side in 0..2 {
        let mut missing = 0;
        while missing <= bridges(size) {
            let (row, column) = (random.below(size), side * size + random.below(size));
            if (row + column) % 2 != side && squares[(row, column)] == 1 {
                squares[(row, column)] = 0;
                missing += 1;
            }
        }
    }
    squares
}

// ---------------------------------------------------------------- arguments and output

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout());
    let result = run(&mut Arguments::new(arguments), &mut output).and_then(|()| output.flush());
    match result {
        Err(ref error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => fail(1, &format!("cannot write: {}", error)),
        Ok(()) => {}
    }
}

fn fail(status: i32, message: &str) -> ! {
    eprintln!("generate: {}", message);
    std::process::exit(status)
}

fn run(arguments: &mut Arguments, output: &mut impl Write) -> io::Result<()> {
    match arguments.word("PROGRAM").as_str() {
        "clues" => print_clues(arguments, output),
        "complete" => print_complete(arguments, output),
        "reveal" => print_reveal(arguments, output),
        "hard" => print_hard(arguments, output),
        "count" => print_count(arguments, output),
        other => fail(
            2,
            &format!(
                "expected clues, complete, reveal, hard or count, found '{}'",
                other
            ),
        ),
    }
}

fn print_clues(arguments: &mut Arguments, output: &mut impl Write) -> io::Result<()> {
    let spoilt = arguments.option("--spoil", 0);
    let (rows, columns) = arguments.sides();
    let density = arguments.number("DENSITY", 0, 100);
    let mut random = arguments.seed();
    let mut clues = clues_of(&field(rows, columns, density, &mut random));
    spoil(&mut clues, spoilt, b'9', &mut random);
    write_clues(&clues, output)
}

fn print_complete(arguments: &mut Arguments, output: &mut impl Write) -> io::Result<()> {
    let unknown = arguments.option("--unknown", usize::MAX);
    let spoilt = arguments.option("--spoil", 0);
    let tests = arguments.number("TESTS", 1, MOST_CELLS);
    let (rows, columns) = arguments.sides();
    let density = arguments.number("DENSITY", 0, 100);
    let hidden = arguments.number("HIDDEN", 0, 100);
    let mut random = arguments.seed();
    writeln!(output, "{}", tests)?;
    for _ in 0..tests {
        let mut board = known(&field(rows, columns, density, &mut random));
        hide(&mut board, hidden, unknown, &mut random);
        spoil(&mut board, spoilt, b'8', &mut random);
        write_board(&board, output)?;
    }
    Ok(())
}

fn print_reveal(arguments: &mut Arguments, output: &mut impl Write) -> io::Result<()> {
    let (rows, columns) = arguments.sides();
    let density = arguments.number("DENSITY", 0, 100);
    let plain = arguments.flag("--plain");
    let mut random = arguments.seed();
    let (board, (row, column)) = play(rows, columns, density, &mut random);
    if plain {
        write_board(&board, output)?;
        return writeln!(output, "{} {}", row, column);
    }
    write_json(&board, output)?;
    writeln!(output, "[{},{}]", row, column)
}

fn print_hard(arguments: &mut Arguments, output: &mut impl Write) -> io::Result<()> {
    let spoilt = arguments.option("--spoil", 0);
    let name = arguments.word("KIND");
    let size = arguments.number("SIZE", 2, 1 << 14);
    let named = |kinds: &[Kind]| kinds.iter().find(|kind| kind.0 == name).map(|kind| kind.1);
    if let Some(kind) = named(&KINDS) {
        let mut random = arguments.seed();
        let mut board = kind(size, &mut random);
        spoil(&mut board, spoilt, b'8', &mut random);
        writeln!(output, "1")?;
        write_board(&board, output)
    } else if spoilt > 0 {
        fail(
            2,
            "--spoil goes with the kinds for complete; see generate.sh -h",
        )
    } else if let Some(kind) = named(&CLUE_KINDS) {
        write_clues(&kind(size, &mut arguments.seed()), output)
    } else if name == "serpentine" {
        write_board(&serpentine(size, &mut arguments.seed()), output)?;
        writeln!(output, "0 0")
    } else {
        fail(2, &format!("unknown KIND '{}'; see generate.sh -h", name))
    }
}

/// The clues of a field as `clues` prints it: so an answer can be turned back into its question.
fn print_count(arguments: &mut Arguments, output: &mut impl Write) -> io::Result<()> {
    arguments.end();
    let wrong = || fail(2, "expected only 'x' and '_', equally many in each line");
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let cells = line.bytes().filter(|byte| !byte.is_ascii_whitespace());
        let row = cells.map(|cell| match cell {
            b'x' => 1,
            b'_' => 0,
            _ => wrong(),
        });
        rows.push(row.collect());
    }
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 || rows.iter().any(|row| row.len() != columns) {
        wrong();
    }
    write_clues(
        &clues_of(&Board {
            rows: rows.len(),
            columns,
            cells: rows.concat(),
        }),
        output,
    )
}

pub fn write_clues(clues: &Board, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{} {}", clues.rows, clues.columns)?;
    let mut line = vec![b' '; 2 * clues.columns];
    line[2 * clues.columns - 1] = b'\n';
    for row in clues.cells.chunks(clues.columns) {
        line.iter_mut()
            .step_by(2)
            .zip(row)
            .for_each(|(place, &clue)| *place = clue);
        output.write_all(&line)?;
    }
    Ok(())
}

pub fn write_board(board: &Board, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{} {}", board.rows, board.columns)?;
    for row in board.cells.chunks(board.columns) {
        output.write_all(row)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

pub fn write_json(board: &Board, output: &mut impl Write) -> io::Result<()> {
    for (index, row) in board.cells.chunks(board.columns).enumerate() {
        output.write_all(if index == 0 { b"[[" } else { b",[" })?;
        let cells = row.iter().enumerate();
        let text = cells.flat_map(|(column, &cell)| {
            [b',', b'"', cell, b'"']
                .into_iter()
                .skip(usize::from(column == 0))
        });
        output.write_all(&text.collect::<Vec<u8>>())?;
        output.write_all(b"]")?;
    }
    output.write_all(b"]\n")
}

/// The arguments not yet taken; options may stand anywhere.
struct Arguments(Vec<String>);

impl Arguments {
    fn new(arguments: Vec<String>) -> Self {
        Arguments(arguments)
    }

    /// The next argument.
    fn word(&mut self, name: &str) -> String {
        match self
            .0
            .iter()
            .position(|argument| !argument.starts_with("--"))
        {
            Some(at) => self.0.remove(at),
            None => fail(2, &format!("{} is missing; see generate.sh -h", name)),
        }
    }

    fn number(&mut self, name: &str, least: u64, most: u64) -> usize {
        let word = self.word(name);
        parse(name, &word, least, most) as usize
    }

    /// ROWS and COLUMNS.
    fn sides(&mut self) -> (usize, usize) {
        let rows = self.number("ROWS", 1, MOST_CELLS);
        let columns = self.number("COLUMNS", 1, MOST_CELLS / rows as u64);
        (rows, columns)
    }

    fn flag(&mut self, name: &str) -> bool {
        let at = self.0.iter().position(|argument| argument == name);
        at.map(|at| self.0.remove(at)).is_some()
    }

    /// The number behind an option.
    fn option(&mut self, name: &str, default: usize) -> usize {
        match self.0.iter().position(|argument| argument == name) {
            None => default,
            Some(at) if at + 1 == self.0.len() => {
                fail(2, &format!("a number is missing behind {}", name))
            }
            Some(at) => {
                let word = self.0.remove(at + 1);
                self.0.remove(at);
                parse(name, &word, 0, MOST_CELLS) as usize
            }
        }
    }

    /// SEED, the last argument; drawn and told if it is not given.
    fn seed(&mut self) -> Random {
        if self.0.is_empty() {
            let seed = RandomState::new().build_hasher().finish() >> 32;
            eprintln!("generate: seed {}", seed);
            return Random(seed);
        }
        let word = self.word("SEED");
        self.end();
        Random(parse("SEED", &word, 0, u64::MAX))
    }

    fn end(&self) {
        if let Some(argument) = self.0.first() {
            fail(2, &format!("unexpected argument '{}'", argument));
        }
    }
}

fn parse(name: &str, word: &str, least: u64, most: u64) -> u64 {
    match word.parse() {
        Ok(value) if (least..=most).contains(&value) => value,
        _ => fail(
            2,
            &format!(
                "{} must be a whole number from {} to {}, not '{}'",
                name, least, most, word
            ),
        ),
    }
}
