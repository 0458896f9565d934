//! Makes a failing question small: whatever can be left out while it still fails is left out.

use crate::families::{Program, Question, Test};
use crate::generate::Board;

/// The most runs that shrinking may take.
const RUNS: usize = 3000;

/// A question on which the two still disagree and none of whose variants has them disagree.
///
/// It ends: every variant has fewer tests or cells, or as many cells and plainer ones.
pub fn shrink(mut question: Question, mut disagree: impl FnMut(&Question) -> bool) -> Question {
    let mut left = RUNS;
    loop {
        let tried = variants(&question).take(left).inspect(|_| left -= 1);
        let smaller = { tried }.find(|variant| disagree(variant));
        match smaller {
            Some(smaller) => question = smaller,
            None => return question,
        }
    }
}

/// All that is one step smaller, the largest steps first.
fn variants(question: &Question) -> impl Iterator<Item = Question> + '_ {
    let count = question.tests.len();
    let halves = Some([0..count / 2, count / 2..count]).filter(|_| count > 1);
    let halves = halves
        .into_iter()
        .flatten()
        .map(move |half| with_tests(question, &question.tests[half]));
    let singles = (0..count).filter(move |_| count > 1).map(move |gone| {
        let mut tests = question.tests.clone();
        tests.remove(gone);
        with_tests(question, &tests)
    });
    let plain = (question.layout > 0).then(|| Question {
        layout: 0,
        ..question.clone()
    });
    let changed = (0..count).flat_map(move |index| {
        smaller_tests(&question.tests[index], question.program).map(move |test| {
            let mut tests = question.tests.clone();
            tests[index] = test;
            with_tests(question, &tests)
        })
    });
    halves.chain(singles).chain(plain).chain(changed)
}

fn with_tests(question: &Question, tests: &[Test]) -> Question {
    Question {
        tests: tests.to_vec(),
        ..question.clone()
    }
}

/// A row or a column less, or one plainer cell. What was planted is no longer known to fit.
fn smaller_tests(test: &Test, program: Program) -> impl Iterator<Item = Test> + '_ {
    let (rows, columns) = (test.board.rows, test.board.columns);
    let (row, column) = test.click;
    let shorter = (0..rows).filter(move |_| rows > 1).map(move |gone| {
        let board = picked(&test.board, |(row, _)| row != gone, rows - 1, columns);
        let row = (row - usize::from(row > gone)).min(rows - 2);
        Test {
            board,
            click: (row, column),
            planted: None,
            ..test.clone()
        }
    });
    let narrower = (0..columns).filter(move |_| columns > 1).map(move |gone| {
        let board = picked(&test.board, |(_, column)| column != gone, rows, columns - 1);
        let column = (column - usize::from(column > gone)).min(columns - 2);
        Test {
            board,
            click: (row, column),
            planted: None,
            ..test.clone()
        }
    });
    let plainer = (0..rows * columns).flat_map(move |place| {
        let cells = plainer(test.board.cells[place], program)
            .into_iter()
            .flatten();
        cells.map(move |cell| {
            let mut board = test.board.clone();
            board.cells[place] = cell;
            Test {
                board,
                planted: None,
                ..test.clone()
            }
        })
    });
    shorter.chain(narrower).chain(plainer)
}

/// The cells for which `keep` holds.
fn picked(
    board: &Board,
    keep: impl Fn((usize, usize)) -> bool,
    rows: usize,
    columns: usize,
) -> Board {
    let cells = board.cells.iter().enumerate();
    let place = |index: usize| (index / board.columns, index % board.columns);
    let cells = cells
        .filter(|&(index, _)| keep(place(index)))
        .map(|(_, &cell)| cell)
        .collect();
    Board {
        rows,
        columns,
        cells,
    }
}

/// What to try in a cell's place: nothing known, or less of it.
fn plainer(cell: u8, program: Program) -> [Option<u8>; 2] {
    match (program, cell) {
        (Program::Clues, b'0') | (Program::Complete, b'?') | (Program::Reveal, b'E') => {
            [None, None]
        }
        (Program::Clues, digit) => [Some(b'0'), Some(digit - 1).filter(|&less| less > b'0')],
        (Program::Complete, _) => [Some(b'?'), None],
        (Program::Reveal, _) => [Some(b'E'), None],
    }
}
