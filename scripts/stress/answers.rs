//! What a right answer is: the oracle's where it reaches; else a planted field, a witness counted again, and a
//! solver's word.

use crate::families::{Program, Question, Test};
use crate::generate::{self, Board};
use crate::oracle;
use crate::solver::Solver;

/// Steps that the oracle gets for one input of a single board: about a millisecond.
const STEPS: u64 = 5_000;

/// Steps for all tests of `complete` together.
const STEPS_TOGETHER: u64 = 1 << 40;

pub enum Verdict {
    /// Which tests nothing could check, and which tests of `complete` have a completion, by index.
    Right {
        unknown: Vec<usize>,
        yes: Vec<usize>,
    },
    Wrong {
        expected: String,
        got: String,
    },
}

pub struct Judge {
    /// Only the first mine field is right.
    strict: bool,
    pub solver: Solver,
}

impl Judge {
    pub fn new(strict: bool, solver: &str, scratch: &str) -> Self {
        Judge {
            strict,
            solver: Solver::new(solver, scratch),
        }
    }

    pub fn verdict(&self, question: &Question, answer: &str) -> Verdict {
        match question.program {
            Program::Clues => self.clues(question, answer),
            Program::Complete => self.complete(question, answer),
            Program::Reveal => reveal(question, answer),
        }
    }

    // ------------------------------------------------------------ clues

    fn clues(&self, question: &Question, answer: &str) -> Verdict {
        let test = &question.tests[0];
        let mut expected = String::new();
        match oracle::clues_within(STEPS, &question.text(), &mut expected) {
            Ok(()) if answer == expected => right(),
            Ok(()) if self.strict || expected == "-1\n" => wrong(&expected, answer),
            Ok(()) => judge_field(test, answer, None),
            Err(oracle::Refusal::Unreadable(why)) => {
                panic!("the oracle cannot read its input: {}", why)
            }
            Err(oracle::Refusal::TooLarge(_)) => self.larger_clues(test, answer),
        }
    }

    /// A field is counted again, and a planted one may not come before it; a `-1` is the solver's to confirm.
    fn larger_clues(&self, test: &Test, answer: &str) -> Verdict {
        if answer != "-1\n" {
            return judge_field(test, answer, test.planted.as_ref().filter(|_| self.strict));
        }
        if let Some(planted) = &test.planted {
            return wrong(&drawing(planted), answer);
        }
        let board = &test.board;
        let unknown = Board::new(board.rows, board.columns, 1);
        let demand = |row, column| Some(i32::from(board[(row, column)] - b'0'));
        match self.solver.field(&unknown, demand) {
            None => Verdict::Right {
                unknown: vec![0],
                yes: Vec::new(),
            },
            Some(None) => right(),
            Some(Some(field)) => {
                assert!(
                    generate::clues_of(&field) == *board,
                    "the solver's field is wrong"
                );
                wrong(&drawing(&field), answer)
            }
        }
    }

    // ------------------------------------------------------------ complete

    fn complete(&self, question: &Question, answer: &str) -> Verdict {
        let mut expected = String::new();
        let (mut unknown, mut yes) = (Vec::new(), Vec::new());
        let mut got = answer.lines();
        for (index, test) in question.tests.iter().enumerate() {
            let said = got.next().unwrap_or("");
            let due = match self.can_be_completed(test) {
                Some(true) => {
                    yes.push(index);
                    "YES"
                }
                Some(false) => "NO",
                None => {
                    unknown.push(index);
                    if said == "NO" {
                        "NO"
                    } else {
                        "YES"
                    }
                }
            };
            expected.push_str(due);
            expected.push('\n');
        }
        if answer == expected {
            Verdict::Right { unknown, yes }
        } else {
            wrong(&expected, answer)
        }
    }

    fn can_be_completed(&self, test: &Test) -> Option<bool> {
        if let Some(planted) = &test.planted {
            assert!(
                is_met(&test.board, planted),
                "a planted field does not fit its board"
            );
            return Some(true);
        }
        let alone = Question::new(Program::Complete, vec![test.clone()]);
        let mut answer = String::new();
        match oracle::complete_within(STEPS_TOGETHER, &alone.text(), &mut answer) {
            Ok(()) => Some(answer == "YES\n"),
            Err(oracle::Refusal::Unreadable(why)) => {
                panic!("the oracle cannot read its input: {}", why)
            }
            Err(oracle::Refusal::TooLarge(_)) => self.solvable(&test.board),
        }
    }

    fn solvable(&self, board: &Board) -> Option<bool> {
        let mut unknown = board.clone();
        for cell in &mut unknown.cells {
            *cell = u8::from(*cell == b'?');
        }
        let field = self.solver.field(&unknown, |row, column| {
            let known = board
                .block(row, column)
                .filter(|&place| board[place] == b'*')
                .count() as i32;
            char::from(board[(row, column)])
                .to_digit(10)
                .map(|digit| digit as i32 - known)
        })?;
        if let Some(field) = &field {
            assert!(is_met(board, field), "the solver's completion is wrong");
        }
        Some(field.is_some())
    }
}

fn right() -> Verdict {
    Verdict::Right {
        unknown: Vec::new(),
        yes: Vec::new(),
    }
}

fn wrong(expected: &str, got: &str) -> Verdict {
    Verdict::Wrong {
        expected: expected.to_string(),
        got: got.to_string(),
    }
}

/// Counts a field again; it must not come behind `least`, if that is given.
fn judge_field(test: &Test, answer: &str, least: Option<&Board>) -> Verdict {
    let cells: Vec<u8> = answer
        .bytes()
        .filter(|cell| b"x_".contains(cell))
        .map(|cell| u8::from(cell == b'x'))
        .collect();
    let (rows, columns) = (test.board.rows, test.board.columns);
    if cells.len() == rows * columns {
        let field = Board {
            rows,
            columns,
            cells,
        };
        let first = least.map_or(true, |least| field.cells >= least.cells);
        if drawing(&field) == answer && generate::clues_of(&field) == test.board && first {
            return right();
        }
    }
    let expected = least.map_or(String::from("a field with these clues\n"), drawing);
    wrong(&expected, answer)
}

/// A field as `clues` prints it.
fn drawing(field: &Board) -> String {
    let row = |row: &[u8]| {
        let cells: Vec<&str> = row
            .iter()
            .map(|&mine| ["_", "x"][usize::from(mine)])
            .collect();
        cells.join(" ") + "\n"
    };
    field.cells.chunks(field.columns).map(row).collect()
}

/// Whether the known mines and those of the field together meet every digit.
fn is_met(board: &Board, field: &Board) -> bool {
    let mut mines = field.clone();
    for (mine, &cell) in mines.cells.iter_mut().zip(&board.cells) {
        *mine = u8::from(cell == b'*' || (cell == b'?' && *mine == 1));
    }
    let clues = generate::clues_of(&mines);
    board
        .cells
        .iter()
        .zip(&clues.cells)
        .all(|(cell, clue)| !cell.is_ascii_digit() || cell == clue)
}

fn reveal(question: &Question, answer: &str) -> Verdict {
    let mut expected = String::new();
    match oracle::reveal(&question.text(), &mut expected) {
        Ok(()) if answer == expected => right(),
        Ok(()) => wrong(&expected, answer),
        Err(refusal) => panic!("the oracle refuses its input: {:?}", refusal),
    }
}
