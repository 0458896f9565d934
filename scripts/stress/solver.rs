//! A SAT solver as a second witness: what it finds is counted again here, what it denies is taken from it.

use crate::generate::Board;
use std::cell::Cell;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

/// Seconds for one board; above it nothing is known.
const LIMIT: &str = "10";

pub struct Solver {
    /// `minisat`, `cadical` or `none`.
    pub name: String,
    /// How many boards it has decided.
    pub decided: Cell<u64>,
    scratch: String,
}

impl Solver {
    pub fn new(name: &str, scratch: &str) -> Self {
        Solver {
            name: name.to_string(),
            decided: Cell::new(0),
            scratch: format!("{}/solver", scratch),
        }
    }

    /// A mine field that meets every equation, `Some(None)` if there is none, `None` if nobody knows.
    ///
    /// `count(row, column)` is the number that a cell demands of its unknown neighbours, if any.
    pub fn field(
        &self,
        unknown: &Board,
        demand: impl Fn(usize, usize) -> Option<i32>,
    ) -> Option<Option<Board>> {
        if self.name == "none" {
            return None;
        }
        let mut clauses = String::new();
        let variables = number(unknown);
        let variable = |(row, column): (usize, usize)| variables[row * unknown.columns + column];
        let mut count = 0;
        for row in 0..unknown.rows {
            for column in 0..unknown.columns {
                if let Some(mines) = demand(row, column) {
                    let around = unknown
                        .block(row, column)
                        .map(variable)
                        .filter(|&variable| variable > 0);
                    count += exactly(&around.collect::<Vec<_>>(), mines, &mut clauses);
                }
            }
        }
        let most = variables.iter().max().copied().unwrap_or(0);
        let model = self.solve(&format!("p cnf {} {}\n{}", most, count, clauses))?;
        self.decided.set(self.decided.get() + 1);
        Some(model.map(|mines| {
            let mut field = Board::new(unknown.rows, unknown.columns, 0);
            for (cell, variable) in field.cells.iter_mut().zip(&variables) {
                *cell = u8::from(*variable > 0 && mines.contains(variable));
            }
            field
        }))
    }

    /// The true variables of a model, ascending.
    fn solve(&self, formula: &str) -> Option<Option<Vec<i32>>> {
        let (cnf, out) = (
            format!("{}.cnf", self.scratch),
            format!("{}.out", self.scratch),
        );
        let mut command = Command::new(&self.name);
        match self.name.as_str() {
            "minisat" => command.args(["-verb=0", &format!("-cpu-lim={}", LIMIT), &cnf, &out]),
            "cadical" => command.args(["-q", "-t", LIMIT, "-w", &out, &cnf]),
            _ => return None,
        };
        fs::write(&cnf, formula).ok()?;
        let status = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .ok()?;
        match status.code() {
            Some(20) => Some(None),
            Some(10) => {
                let model = fs::read_to_string(&out).ok()?;
                Some(Some(
                    model
                        .split_whitespace()
                        .filter_map(|word| word.parse().ok())
                        .filter(|&v| v > 0)
                        .collect(),
                ))
            }
            _ => None,
        }
    }
}

/// Numbers the unknown cells (1 in the board) from 1; 0 for the others.
fn number(unknown: &Board) -> Vec<i32> {
    let mut next = 0;
    let cells = unknown.cells.iter();
    cells
        .map(|&cell| {
            next += i32::from(cell);
            i32::from(cell) * next
        })
        .collect()
}

/// The clauses of "exactly `mines` of these": of any mines + 1 one is none, of any n - mines + 1 one is a mine.
/// Returns how many clauses that were.
fn exactly(variables: &[i32], mines: i32, clauses: &mut String) -> usize {
    let n = variables.len() as i32;
    if mines < 0 || mines > n {
        clauses.push_str("0\n");
        return 1;
    }
    let mut count = 0;
    for (size, sign) in [(mines + 1, "-"), (n - mines + 1, "")] {
        let sets = 0_u32..1 << n;
        for set in sets.filter(|set| set.count_ones() as i32 == size) {
            for index in (0..variables.len()).filter(|index| set >> index & 1 == 1) {
                let _ = write!(clauses, "{}{} ", sign, variables[index]);
            }
            clauses.push_str("0\n");
            count += 1;
        }
    }
    count
}
