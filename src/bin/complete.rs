//! **Problem.** Boards of digits, mines `*` and unknown cells `?`: can every `?` be made a mine or
//! no mine so that each digit tells the mines among its up to 8 neighbours?
//!
//! **Input.** The number of tests; for each its rows, its columns and its cells, glued or spaced.
//! **Output.** A line `YES` or `NO` a test, as soon as the test is complete.
//!
//! **Method.** The question is NP-complete (Kaye 2000), but boards that exist have structure, and
//! each stage takes away one kind of it. [`decide`] is the recipe:
//! 1. *scan*: the bounds of every digit; a handful of unknowns is enumerated in place;
//! 2. *presolve*: digits become equations; those that lack no mine, or all, settle their unknowns,
//!    and unknowns that must be equal or opposite become one;
//! 3. *components*: what shares no unknown is decided by itself, in rounds of growing budgets, by
//! 4. *learning search* (CDCL) on the equations, and
//! 5. *local search*, for huge boards with many completions;
//! 6. *recount*: no `YES` before a completion has been counted on the whole board.
//!
//! **Why it is right.** The presolve only draws conclusions: it keeps all completions. A clause is
//! learnt by resolving consequences of the equations, so a conflict without a decision proves
//! `NO`. Local search can only say `YES`, and `YES` is counted.
//!
//! **Cost.** Near-linear in the cells up to stage 3, exponential at worst behind it. Budgets count
//! steps: an input takes the same path anywhere. Memory: a byte a cell, up to 300 an unknown.
//!
//! **Source.** Een, Sorensson: An extensible SAT-solver (2003). Biere, Fröhlich: CDCL variable
//! scoring schemes (2015). Selman, Kautz, Cohen: Noise strategies for local search (1994).

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::convert::TryFrom;
use std::env;
use std::io::{self, BufWriter, Read, Write};
use std::mem;
use std::ops::{Not, Range};
use std::str;

const USAGE: &str = "\
usage: complete < boards

Reads the number of tests; for each its rows, columns and cells (0 to 8, '*' a
mine, '?' unknown). Prints YES or NO: can every '?' be completed?

    1
    2 2
    *1
    3?

prints NO.
";

const MINE: u8 = b'*';
const UNKNOWN: u8 = b'?';
/// An unknown found to be no mine.
const SAFE: u8 = b'_';

fn main() {
    std::process::exit(launch("complete", USAGE, answer));
}

/// The recipe: can the unknowns be completed? On `true` the board holds a completion.
fn decide(board: &mut Board) -> bool {
    match scan(board) {
        None => false,
        Some(open) if open.is_empty() => true,
        Some(open) => match few_unknowns(board, &open) {
            Some(unknowns) => enumerate(board, &unknowns),
            None => solve(board, &open),
        },
    }
}

/// Stages 2 to 6: the equations of the open digits, and one of their solutions, recounted. What is
/// unknown after that stands beside no digit.
fn solve(board: &mut Board, open: &[usize]) -> bool {
    let (mut system, cells) = System::new(board, open);
    if !system.presolve() || !decide_components(&mut system) {
        return false;
    }
    system.settle_merged();
    for (cell, value) in cells.into_iter().zip(system.values) {
        board.cells[cell] = if value == Some(true) { MINE } else { SAFE };
    }
    assert_eq!(scan(board), Some(Vec::new()), "every digit counts right");
    true
}

// ===== board =====

/// `cells` holds the rows one behind the other: digits, `MINE`, `UNKNOWN` or `SAFE`.
#[derive(Default)]
struct Board {
    rows: usize,
    columns: usize,
    cells: Vec<u8>,
}

impl Board {
    /// The up to 8 cells around `cell`.
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (row, column, columns) = (cell / self.columns, cell % self.columns, self.columns);
        let (left, right) = (column.saturating_sub(1), columns.min(column + 2));
        (row.saturating_sub(1)..self.rows.min(row + 2))
            .flat_map(move |row| row * columns + left..row * columns + right)
            .filter(move |&other| other != cell)
    }

    /// The mines that the digit at `cell` still lacks, and the unknowns around it.
    fn lacks(&self, cell: usize) -> (i32, i32) {
        let digit = i32::from(self.cells[cell]) - i32::from(b'0');
        let around = self.neighbours(cell).map(|other| self.cells[other]);
        around.fold((digit, 0), |(lacking, unknowns), other| match other {
            MINE => (lacking - 1, unknowns),
            UNKNOWN => (lacking, unknowns + 1),
            _ => (lacking, unknowns),
        })
    }
}

fn is_digit(cell: u8) -> bool {
    cell.wrapping_sub(b'0') <= 8
}

// ===== stage 1: scan =====
// A mine weighs 1 and an unknown 16: a 3×3 sum is at most 9 * 16, fits a byte, and tells both.

/// The digits with unknowns around them; `None` if a digit has too many mines or too few.
fn scan(board: &Board) -> Option<Vec<usize>> {
    let mut open = Vec::new();
    for (row, cells) in board.cells.chunks(board.columns).enumerate() {
        let sums = column_sums(board, row);
        let sums = sums.windows(3).map(|three| three[0] + three[1] + three[2]);
        let (mut wrong, mut unknown) = (false, false);
        for (sum, &cell) in sums.clone().zip(cells) {
            // Wraps to a large number where there are too many mines.
            let lacking = cell.wrapping_sub(b'0').wrapping_sub(sum & 15);
            wrong |= is_digit(cell) & (lacking > sum >> 4);
            unknown |= is_digit(cell) & (sum > 15);
        }
        if wrong {
            return None;
        }
        if unknown {
            let digits = sums.zip(cells).zip(row * cells.len()..);
            let digits = digits.filter(|&((sum, &cell), _)| is_digit(cell) && sum > 15);
            open.extend(digits.map(|(_, cell)| cell));
        }
    }
    Some(open)
}

/// Sums of the up to three rows about `row`, with a column of zeros at both ends.
fn column_sums(board: &Board, row: usize) -> Vec<u8> {
    let columns = board.columns;
    let mut sums = vec![0; columns + 2];
    let rows = board.cells.chunks(columns).skip(row.saturating_sub(1));
    for cells in rows.take(if row == 0 { 2 } else { 3 }) {
        for (sum, &cell) in sums[1..].iter_mut().zip(cells) {
            *sum += u8::from(cell == MINE) + 16 * u8::from(cell == UNKNOWN);
        }
    }
    sums
}

/// So many unknowns are enumerated: at most 2^10 times 8 digits to look at.
const FEW: usize = 10;

/// The unknowns beside the open digits, if they are few.
fn few_unknowns(board: &Board, open: &[usize]) -> Option<Vec<usize>> {
    if open.len() > 8 * FEW {
        return None;
    }
    let around = open.iter().flat_map(|&digit| board.neighbours(digit));
    let mut unknowns: Vec<usize> = around
        .filter(|&cell| board.cells[cell] == UNKNOWN)
        .collect();
    unknowns.sort_unstable();
    unknowns.dedup();
    Some(unknowns).filter(|unknowns| unknowns.len() <= FEW)
}

/// Tries both values of each unknown and counts the digits around it; `FEW` deep at most.
fn enumerate(board: &mut Board, unknowns: &[usize]) -> bool {
    let (&cell, rest) = match unknowns.split_first() {
        Some(split) => split,
        None => return true,
    };
    for &value in &[MINE, SAFE] {
        board.cells[cell] = value;
        let fits = board.neighbours(cell).all(|other| {
            let (lacking, unknowns) = board.lacks(other);
            !is_digit(board.cells[other]) || (0 <= lacking && lacking <= unknowns)
        });
        if fits && enumerate(board, rest) {
            return true;
        }
    }
    board.cells[cell] = UNKNOWN;
    false
}

// ===== stage 2: presolve =====
// Each open digit is an equation: as many of its literals are true as its total tells. Most boards
// fall apart by the bounds alone. Wires in circuits are chains of equal and opposite unknowns: of
// 188,016 on one board 356 are left. (Subtracting contained equations, and dropping those that can
// always be met, gained little beside local search.)

/// Terms an equation: a digit has at most 8 unknowns.
const WIDTH: usize = 8;
/// No index.
const NONE: u32 = !0;

/// An unknown (even), or its opposite (odd).
#[derive(Clone, Copy, PartialEq, Eq)]
struct Literal(u32);

impl Literal {
    fn new(unknown: usize) -> Self {
        Literal(index32(2 * unknown))
    }

    fn unknown(self) -> usize {
        self.index() / 2
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    fn is_opposite(self) -> bool {
        self.0 % 2 == 1
    }

    fn flipped_if(self, flip: bool) -> Self {
        Literal(self.0 ^ u32::from(flip))
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.flipped_if(true)
    }
}

/// Indices take 32 bits.
fn index32(index: usize) -> u32 {
    u32::try_from(index).expect("more than 2^28 open digits")
}

/// The equations of a board; with the values and merged literals they have its completions.
///
/// - S1: terms are of live unknowns (no value, not merged into another), one of each an equation.
/// - S2: `uses` of a live unknown holds the slots of all its terms, and perhaps of some that are gone.
/// - S3: an equation that changed since it was last simplified is in `queue`.
#[derive(Default)]
struct System {
    /// Equation e has the terms `WIDTH * e..WIDTH * (e + 1)`, as far as they are not gone.
    terms: Vec<Option<Literal>>,
    totals: Vec<i32>,
    queue: VecDeque<usize>,
    /// Literals that were merged, each with the equal one that stands for it since.
    merged: Vec<(Literal, Literal)>,
    values: Vec<Option<bool>>,
    uses: Vec<Vec<u32>>,
}

impl System {
    /// The equations of the open digits, and the cells of their unknowns.
    fn new(board: &Board, open: &[usize]) -> (System, Vec<usize>) {
        let (mut cells, mut numbers) = (Vec::new(), vec![NONE; board.cells.len()]);
        let mut system = System {
            terms: vec![None; WIDTH * open.len()],
            totals: open.iter().map(|&digit| board.lacks(digit).0).collect(),
            queue: (0..open.len()).collect(),
            ..System::default()
        };
        for (equation, &digit) in open.iter().enumerate() {
            let around = board.neighbours(digit);
            let unknowns = around.filter(|&cell| board.cells[cell] == UNKNOWN);
            for (slot, cell) in slots(equation).zip(unknowns) {
                if numbers[cell] == NONE {
                    numbers[cell] = index32(cells.len());
                    system.values.push(None);
                    system.uses.push(Vec::new());
                    cells.push(cell);
                }
                system.link(slot, Literal::new(numbers[cell] as usize));
            }
        }
        (system, cells)
    }

    fn link(&mut self, slot: usize, literal: Literal) {
        self.terms[slot] = Some(literal);
        self.uses[literal.unknown()].push(index32(slot));
    }

    /// The slots of an unknown's terms; those that are gone leave its list.
    fn occurrences(&mut self, unknown: usize) -> Vec<usize> {
        let (terms, uses) = (&self.terms, &mut self.uses[unknown]);
        uses.retain(|&slot| terms[slot as usize].is_some());
        uses.iter().map(|&slot| slot as usize).collect()
    }

    /// Simplifies until nothing changes; `false` at a contradiction.
    fn presolve(&mut self) -> bool {
        while let Some(equation) = self.queue.pop_front() {
            let literals = self.literals(equation);
            match usize::try_from(self.totals[equation]) {
                Ok(total) if total == 0 || total == literals.len() => {
                    for literal in literals {
                        self.make_true(literal.flipped_if(total == 0));
                    }
                }
                Ok(1) if literals.len() == 2 => self.merge(literals[0], !literals[1]),
                Ok(total) if total < literals.len() => {}
                _ => return false,
            }
        }
        true
    }

    fn literals(&self, equation: usize) -> Vec<Literal> {
        let terms = self.terms[slots(equation)].iter();
        terms.flatten().copied().collect()
    }

    /// Takes a term out of its equation, which it meets if it is true.
    fn remove(&mut self, slot: usize, is_true: bool) {
        self.terms[slot] = None;
        self.totals[slot / WIDTH] -= i32::from(is_true);
        self.queue.push_back(slot / WIDTH);
    }

    fn make_true(&mut self, literal: Literal) {
        self.values[literal.unknown()] = Some(!literal.is_opposite());
        for slot in self.occurrences(literal.unknown()) {
            self.remove(slot, self.terms[slot] == Some(literal));
        }
    }

    /// Makes two equal literals one: the unknown with fewer uses takes the other's name, so that a
    /// use moves rarely. Does nothing where an equation has both literals.
    fn merge(&mut self, one: Literal, other: Literal) {
        let swap = self.uses[one.unknown()].len() < self.uses[other.unknown()].len();
        let (kept, gone) = if swap { (other, one) } else { (one, other) };
        let slots_of_gone = self.occurrences(gone.unknown());
        let renamed = |term| kept.flipped_if(term != Some(gone));
        let beside = |terms: &[Option<Literal>], slot: usize, literal| {
            slots(slot / WIDTH).find(|&other| terms[other] == Some(literal))
        };
        let clash = |&slot: &usize| beside(&self.terms, slot, renamed(self.terms[slot])).is_some();
        if slots_of_gone.iter().any(clash) {
            return;
        }
        self.merged.push((gone, kept));
        for slot in slots_of_gone {
            let literal = renamed(self.terms[slot]);
            let opposite = beside(&self.terms, slot, !literal);
            self.remove(slot, opposite.is_some());
            match opposite {
                Some(opposite) => self.remove(opposite, false),
                None => self.link(slot, literal),
            }
        }
    }

    /// Gives the merged unknowns their values, the last one first: what stands for it has one by
    /// then, or is needed by no equation and no mine.
    fn settle_merged(&mut self) {
        while let Some((gone, kept)) = self.merged.pop() {
            let value = self.values[kept.unknown()].unwrap_or(false) != kept.is_opposite();
            self.values[gone.unknown()] = Some(value != gone.is_opposite());
        }
    }
}

fn slots(equation: usize) -> Range<usize> {
    WIDTH * equation..WIDTH * (equation + 1)
}

// ===== stage 3: components =====
// Unknowns that share no equation tell each other nothing. Each round every component has the same
// budget, twice the last one's: a hard one never hides an easy NO.

/// The first round's budget, in conflicts of the learning search.
const FIRST_BUDGET: u64 = 1000;

/// Decides all that the presolve left; on `true` the system has a value for each unknown of it.
fn decide_components(system: &mut System) -> bool {
    let mut numbers = vec![NONE; system.values.len()];
    let components = system.components().into_iter();
    let mut turns: VecDeque<_> = components.map(|part| (part, None, FIRST_BUDGET)).collect();
    while let Some((equations, begun, budget)) = turns.pop_front() {
        let new = || (Search::new(system, &equations, &mut numbers), None);
        let (mut search, walk): (Search, Option<Walk>) = begun.unwrap_or_else(new);
        let verdict = search.run(budget);
        let (verdict, walk) = match verdict {
            None if budget == FIRST_BUDGET => Walk::new(&search).improve(&mut search, budget),
            None => walk.map_or((None, None), |walk| walk.improve(&mut search, budget)),
            verdict => (verdict, None),
        };
        match verdict {
            Some(true) => search.store_solution(&mut system.values),
            Some(false) => return false,
            None => turns.push_back((Vec::new(), Some((search, walk)), 2 * budget)),
        }
    }
    true
}

impl System {
    /// The equations that are left, in groups that share unknowns, small groups first.
    fn components(&mut self) -> Vec<Vec<usize>> {
        let mut components = Vec::new();
        let mut seen = vec![false; self.totals.len()];
        for start in 0..seen.len() {
            let (mut component, mut ahead) = (Vec::new(), vec![start]);
            seen[start] |= self.literals(start).is_empty();
            while let Some(equation) = ahead.pop() {
                if mem::replace(&mut seen[equation], true) {
                    continue;
                }
                component.push(equation);
                for literal in self.literals(equation) {
                    let slots = self.occurrences(literal.unknown()).into_iter();
                    ahead.extend(slots.map(|slot| slot / WIDTH).filter(|&other| !seen[other]));
                }
            }
            component.sort_unstable();
            components.extend(Some(component).filter(|component| !component.is_empty()));
        }
        components.sort_by_key(Vec::len);
        components
    }
}

// ===== stage 4: learning search =====
// Conflict-driven clause learning as in MiniSat, but on the equations themselves: counters tell when
// one forces its terms, and the clause that says why is made only when it is asked for.

/// Conflicts between restarts.
const RESTART: u64 = 256;
/// Learnt clauses before the longer half goes for the first time; how many more each time.
const CLAUSES: usize = 2000;
const MORE_CLAUSES: usize = 300;

/// Why a literal is true, or what cannot be met.
#[derive(Clone, Copy)]
enum Reason {
    Decision,
    Equation(u32),
    Clause(u32),
}

struct Equation {
    terms: Range<usize>,
    /// True terms that it still needs, and false ones that it may still have: negative is a
    /// conflict, 0 settles the open terms.
    counters: [i32; 2],
}

const SLACK: usize = 0;
const NEED: usize = 1;

/// The search in one component, with numbers of its own for unknowns and equations.
///
/// - L1: `values` is 1 for a true literal, -1 for its opposite, 0 for open ones. True literals stand
///   in `trail` in the order of becoming so, those of level n + 1 from `levels[n]` on.
/// - L2: the counters of the equations count `trail[..head]`, and nothing else.
/// - L3: a literal in the trail follows from its reason and literals before it.
/// - L4: the first two literals of a clause are watched, in `watches` of their opposites. Once all
///   is propagated, a false one has a true one beside it, which became true at no higher level.
#[derive(Default)]
struct Search {
    /// The numbers that the unknowns have in the system.
    unknowns: Vec<usize>,
    equations: Vec<Equation>,
    terms: Vec<Literal>,
    /// The equations that have a literal as a term.
    uses: Vec<Vec<u32>>,
    values: Vec<i8>,
    trail: Vec<Literal>,
    head: usize,
    levels: Vec<usize>,
    /// For settled unknowns: level, reason, and place in the trail.
    level: Vec<u32>,
    reason: Vec<Reason>,
    place: Vec<u32>,
    /// The value that an unknown has or had last; and (1 or -1) the one it had in the longest trail
    /// without a conflict since the last restart, of `longest` literals.
    saved: Vec<bool>,
    target: Vec<i8>,
    longest: usize,
    order: Order,
    clauses: Vec<Vec<Literal>>,
    watches: Vec<Vec<u32>>,
    clause_limit: usize,
    seen: Vec<bool>,
    conflicts: u64,
    restart_at: u64,
}

impl Search {
    /// The search in some equations of a system; `numbers` turns its unknowns into their own.
    fn new(system: &System, equations: &[usize], numbers: &mut [u32]) -> Search {
        let (mut unknowns, mut terms) = (Vec::new(), Vec::new());
        let equations = equations.iter().map(|&equation| {
            let (start, need) = (terms.len(), system.totals[equation]);
            for literal in system.literals(equation) {
                let unknown = literal.unknown();
                if numbers[unknown] == NONE {
                    numbers[unknown] = index32(unknowns.len());
                    unknowns.push(unknown);
                }
                let own = Literal::new(numbers[unknown] as usize);
                terms.push(own.flipped_if(literal.is_opposite()));
            }
            let counters = [(start..terms.len()).fold(-need, |slack, _| slack + 1), need];
            Equation {
                terms: start..terms.len(),
                counters,
            }
        });
        let equations: Vec<Equation> = equations.collect();
        let count = unknowns.len();
        let mut search = Search {
            unknowns,
            equations,
            terms,
            uses: vec![Vec::new(); 2 * count],
            values: vec![0; 2 * count],
            level: vec![0; count],
            reason: vec![Reason::Decision; count],
            place: vec![0; count],
            saved: vec![false; count],
            target: vec![0; count],
            order: Order::new(count),
            watches: vec![Vec::new(); 2 * count],
            clause_limit: CLAUSES,
            seen: vec![false; count],
            ..Search::default()
        };
        search.list_uses();
        search
    }

    fn list_uses(&mut self) {
        for (number, equation) in (0..).zip(&self.equations) {
            for literal in &self.terms[equation.terms.clone()] {
                self.uses[literal.index()].push(number);
            }
        }
    }

    /// Searches for `budget` conflicts more; `None` if they were not enough.
    fn run(&mut self, budget: u64) -> Option<bool> {
        let goal = self.conflicts + budget;
        loop {
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    return Some(false);
                }
                self.conflicts += 1;
                self.aim();
                self.learn(conflict);
            } else if self.conflicts >= goal {
                self.back_to(0);
                return None;
            } else if self.conflicts >= self.restart_at {
                self.restart();
            } else if self.decide().is_none() {
                return Some(true);
            }
        }
    }

    fn store_solution(&self, values: &mut [Option<bool>]) {
        for (&unknown, &value) in self.unknowns.iter().zip(&self.saved) {
            values[unknown] = Some(value);
        }
    }

    /// Gives the first open unknown the value aimed at, or its last one; `None` if none is open.
    fn decide(&mut self) -> Option<()> {
        let unknown = self.order.first_open(&self.values)?;
        let value = match self.target[unknown] {
            0 => self.saved[unknown],
            target => target > 0,
        };
        self.levels.push(self.trail.len());
        self.assign(Literal::new(unknown).flipped_if(!value), Reason::Decision);
        Some(())
    }

    fn assign(&mut self, literal: Literal, reason: Reason) {
        let unknown = literal.unknown();
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.saved[unknown] = !literal.is_opposite();
        self.level[unknown] = index32(self.levels.len());
        self.reason[unknown] = reason;
        self.place[unknown] = index32(self.trail.len());
        self.trail.push(literal);
    }

    /// Draws all conclusions from the trail; returns what cannot be met.
    fn propagate(&mut self) -> Option<Reason> {
        let mut conflict = None;
        while conflict.is_none() && self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            conflict = self.propagate_equations(literal);
            conflict = conflict.or_else(|| self.propagate_clauses(literal));
        }
        conflict
    }

    /// Counts a literal in all its equations (L2), and settles what they force.
    fn propagate_equations(&mut self, literal: Literal) -> Option<Reason> {
        let mut conflict = None;
        for &counter in &[NEED, SLACK] {
            let term = literal.flipped_if(counter == SLACK);
            for at in 0..self.uses[term.index()].len() {
                let number = self.uses[term.index()][at];
                let left = &mut self.equations[number as usize].counters[counter];
                *left -= 1;
                if *left < 0 {
                    conflict = Some(Reason::Equation(number));
                } else if *left == 0 && conflict.is_none() {
                    self.settle(number, counter);
                }
            }
        }
        conflict
    }

    /// All open terms of an equation are false when nothing is needed, true when all are.
    fn settle(&mut self, number: u32, counter: usize) {
        for at in self.equations[number as usize].terms.clone() {
            if self.values[self.terms[at].index()] == 0 {
                let literal = self.terms[at].flipped_if(counter == NEED);
                self.assign(literal, Reason::Equation(number));
            }
        }
    }

    /// Looks at the clauses that watch the opposite of a literal.
    fn propagate_clauses(&mut self, literal: Literal) -> Option<Reason> {
        let mut watches = mem::take(&mut self.watches[literal.index()]);
        let mut conflict = None;
        let mut kept = 0;
        for at in 0..watches.len() {
            let reason = Reason::Clause(watches[at]);
            if conflict.is_none() {
                match self.other_watched(watches[at], !literal) {
                    None => continue,
                    Some(other) if self.values[other.index()] == 0 => self.assign(other, reason),
                    Some(other) if self.values[other.index()] < 0 => conflict = Some(reason),
                    Some(_) => {}
                }
            }
            watches[kept] = watches[at];
            kept += 1;
        }
        watches.truncate(kept);
        self.watches[literal.index()] = watches;
        conflict
    }

    /// The other watched literal of a clause, if it is true or all else is false; else the clause
    /// watches a new one in place of the one that became false (L4).
    fn other_watched(&mut self, clause: u32, falsified: Literal) -> Option<Literal> {
        let literals = &mut self.clauses[clause as usize];
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let other = literals[0];
        if self.values[other.index()] <= 0 {
            for at in 2..literals.len() {
                if self.values[literals[at].index()] >= 0 {
                    literals.swap(1, at);
                    self.watches[(!literals[1]).index()].push(clause);
                    return None;
                }
            }
        }
        Some(other)
    }

    /// Takes back all levels above `level`.
    fn back_to(&mut self, level: usize) {
        let length = *self.levels.get(level).unwrap_or(&self.trail.len());
        while self.trail.len() > length {
            let literal = self.trail[self.trail.len() - 1];
            self.trail.pop();
            if self.head > self.trail.len() {
                self.head = self.trail.len();
                for &counter in &[NEED, SLACK] {
                    for &number in &self.uses[literal.flipped_if(counter == SLACK).index()] {
                        self.equations[number as usize].counters[counter] += 1;
                    }
                }
            }
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
        }
        self.levels.truncate(level);
        self.order.rewind();
    }

    /// Aims at the values below the conflict's level if they are the most since the restart.
    fn aim(&mut self) {
        let length = self.levels.last().map_or(0, |&start| start);
        if length > self.longest {
            self.longest = length;
            for literal in &self.trail[..length] {
                self.target[literal.unknown()] = if literal.is_opposite() { -1 } else { 1 };
            }
        }
    }

    /// Learns the clause of the first unique implication point; goes back to where it forces one.
    /// (Leaving out literals that the others imply gained nothing.)
    fn learn(&mut self, conflict: Reason) {
        let mut clause = self.resolve(conflict);
        let level = |literal: &Literal| self.level[literal.unknown()] as usize;
        let back = clause[1..].iter().map(level).max().unwrap_or(0);
        // The second one watched is the one that is open again next.
        if let Some(second) = clause[1..]
            .iter()
            .position(|literal| level(literal) == back)
        {
            clause.swap(1, second + 1);
        }
        self.back_to(back);
        let asserted = clause[0];
        let reason = self.attach(clause);
        self.assign(asserted, reason);
    }

    /// Resolves the conflict with reasons until one literal of its level is left: the first.
    fn resolve(&mut self, conflict: Reason) -> Vec<Literal> {
        let mut clause = vec![Literal(0)];
        let (mut reason, mut implied, mut open, mut at) = (conflict, None, 0, self.trail.len());
        loop {
            for literal in self.causes(reason, implied) {
                let unknown = literal.unknown();
                let level = self.level[unknown] as usize;
                if level > 0 && !mem::replace(&mut self.seen[unknown], true) {
                    self.order.move_to_front(unknown);
                    if level == self.levels.len() {
                        open += 1;
                    } else {
                        clause.push(!literal);
                    }
                }
            }
            at -= 1;
            while !self.seen[self.trail[at].unknown()] {
                at -= 1;
            }
            let literal = self.trail[at];
            self.seen[literal.unknown()] = false;
            open -= 1;
            if open == 0 {
                clause[0] = !literal;
                break;
            }
            reason = self.reason[literal.unknown()];
            implied = Some(literal);
        }
        for literal in &clause {
            self.seen[literal.unknown()] = false;
        }
        clause
    }

    /// The true literals that force `implied` by the reason, or that cannot all be true.
    fn causes(&self, reason: Reason, implied: Option<Literal>) -> Vec<Literal> {
        let (literals, is_need) = match reason {
            Reason::Decision => (&[][..], false),
            Reason::Clause(number) => (&self.clauses[number as usize][..], false),
            Reason::Equation(number) => {
                let equation = &self.equations[number as usize];
                let terms = &self.terms[equation.terms.clone()];
                // A term that is forced to be false, or one too many, follows from the true ones.
                let is_need = implied.map_or(equation.counters[NEED] < 0, |x| terms.contains(&!x));
                (terms, is_need)
            }
        };
        let before = implied.map_or(NONE, |literal| self.place[literal.unknown()]);
        let causes = literals.iter().map(|literal| literal.flipped_if(!is_need));
        let causes = causes.filter(|cause| self.values[cause.index()] > 0);
        causes
            .filter(|cause| self.place[cause.unknown()] < before)
            .collect()
    }

    /// Keeps a clause; one literal alone needs none, it holds at level 0.
    fn attach(&mut self, clause: Vec<Literal>) -> Reason {
        if clause.len() == 1 {
            return Reason::Decision;
        }
        let number = index32(self.clauses.len());
        for &watched in &clause[..2] {
            self.watches[(!watched).index()].push(number);
        }
        self.clauses.push(clause);
        Reason::Clause(number)
    }

    /// Goes back to level 0, with a new aim, and with fewer clauses if they are too many.
    fn restart(&mut self) {
        self.back_to(0);
        self.longest = 0;
        self.restart_at = self.conflicts + RESTART;
        if self.clauses.len() > self.clause_limit {
            self.clause_limit += MORE_CLAUSES;
            self.forget();
        }
    }

    /// Keeps the shorter half of the clauses. No reason is asked for at level 0, so that they may
    /// take new numbers.
    fn forget(&mut self) {
        self.watches.iter_mut().for_each(Vec::clear);
        let mut clauses = mem::take(&mut self.clauses);
        clauses.sort_by_key(Vec::len);
        clauses.truncate(clauses.len() / 2);
        for clause in clauses {
            self.attach(clause);
        }
    }
}

/// Unknowns by when they last took part in a conflict: a ring in which they move to the front. (A
/// heap of activities, EVSIDS, took 2 to 10 times as long on boards with many completions.)
///
/// - O1: `next` and `last` link all unknowns and, between the last and the first, their number.
/// - O2: all unknowns before `at` are settled.
#[derive(Default)]
struct Order {
    next: Vec<usize>,
    last: Vec<usize>,
    at: usize,
}

impl Order {
    fn new(count: usize) -> Order {
        let last = Some(count).into_iter().chain(0..count).collect();
        Order {
            next: (1..=count).chain(Some(0)).collect(),
            last,
            at: 0,
        }
    }

    fn first_open(&mut self, values: &[i8]) -> Option<usize> {
        let end = self.next.len() - 1;
        while self.at != end && values[2 * self.at] != 0 {
            self.at = self.next[self.at];
        }
        Some(self.at).filter(|&at| at != end)
    }

    fn rewind(&mut self) {
        self.at = self.next[self.next.len() - 1];
    }

    fn move_to_front(&mut self, unknown: usize) {
        let (next, last) = (self.next[unknown], self.last[unknown]);
        self.next[last] = next;
        self.last[next] = last;
        let end = self.next.len() - 1;
        let front = mem::replace(&mut self.next[end], unknown);
        self.last[front] = unknown;
        self.next[unknown] = front;
        self.last[unknown] = end;
    }
}

// ===== stage 5: local search =====
// For huge boards with many completions: from the saved values, flip the unknown of a violated
// equation that costs least; where all cost something, its penalty rises. It can only say YES.

/// A round goes on, in pieces of so many flips an unknown, while each leaves under 3/4 of the violated
/// equations, or `NEARLY` none.
const PIECE: usize = 8;
const PIECES: u64 = FIRST_BUDGET / 4;
const NEARLY: usize = 16;
/// The next equation is one of so many violated last: errors meet and cancel.
const LAST_VIOLATED: usize = 1000;
/// One flip in so many is random: large lattices need them.
const NOISE: u64 = 50;

/// - W1: `excess` is the number of true terms of an equation less its total.
/// - W2: `violated` holds the equations whose excess is not 0; `spot` is their index there, or `NONE`.
struct Walk {
    values: Vec<bool>,
    excess: Vec<i32>,
    penalty: Vec<i32>,
    violated: Vec<u32>,
    spot: Vec<u32>,
    /// State of an xorshift generator.
    random: u64,
}

impl Walk {
    fn new(search: &Search) -> Walk {
        let count = search.equations.len();
        let mut walk = Walk {
            values: search.saved.clone(),
            excess: vec![0; count],
            penalty: vec![1; count],
            violated: Vec::new(),
            spot: vec![NONE; count],
            random: 0x9E37_79B9_7F4A_7C15,
        };
        for (number, equation) in search.equations.iter().enumerate() {
            let terms = search.terms[equation.terms.clone()].iter();
            let open = terms.filter(|literal| search.values[literal.index()] == 0);
            let chosen = open.filter(|literal| walk.is_true(**literal));
            walk.excess[number] = chosen.fold(-equation.counters[NEED], |sum, _| sum + 1);
            walk.list(number);
        }
        walk
    }

    fn is_true(&self, literal: Literal) -> bool {
        self.values[literal.unknown()] != literal.is_opposite()
    }

    /// Flips on; the verdict, and the walk if it is worth going on in a later round.
    fn improve(mut self, search: &mut Search, budget: u64) -> (Option<bool>, Option<Walk>) {
        for &literal in search.trail.iter() {
            if !self.is_true(literal) {
                self.flip(search, literal.unknown());
            }
        }
        for _ in 0..budget / PIECES {
            let before = self.violated.len();
            for _ in 0..PIECE * self.values.len() {
                if self.violated.is_empty() {
                    search.saved = self.values;
                    return (Some(true), None);
                }
                self.step(search);
            }
            if self.violated.len() > NEARLY.max(before * 3 / 4) {
                return (None, None);
            }
        }
        (None, Some(self))
    }

    fn step(&mut self, search: &Search) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let salt = self.random;
        let back = 1 + (salt >> 40) as usize % self.violated.len().min(LAST_VIOLATED);
        let equation = self.violated[self.violated.len() - back] as usize;
        let terms = search.terms[search.equations[equation].terms.clone()].iter();
        let open = terms.filter(|literal| search.values[literal.index()] == 0);
        let helpful = open.filter(|literal| self.is_true(**literal) == (self.excess[equation] > 0));
        let ranked = helpful.map(|literal| {
            let tie = (u64::from(literal.0) ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let cost = self.cost(search, literal.unknown());
            (
                if salt % NOISE > 0 { cost } else { 0 },
                tie,
                literal.unknown(),
            )
        });
        if let Some((cost, _, unknown)) = ranked.min() {
            self.penalty[equation] += i32::from(cost >= 0);
            self.flip(search, unknown);
        }
    }

    /// What a flip of the unknown adds to the violations, each times its penalty.
    fn cost(&self, search: &Search, unknown: usize) -> i32 {
        let mut cost = 0;
        for &(literal, change) in &self.changes(unknown) {
            for &equation in &search.uses[literal.index()] {
                let excess = self.excess[equation as usize];
                let violation = (excess + change).abs() - excess.abs();
                cost += self.penalty[equation as usize] * violation;
            }
        }
        cost
    }

    /// The literals that a flip makes false and true, and what that adds to an excess.
    fn changes(&self, unknown: usize) -> [(Literal, i32); 2] {
        let losing = Literal::new(unknown).flipped_if(!self.values[unknown]);
        [(losing, -1), (!losing, 1)]
    }

    fn flip(&mut self, search: &Search, unknown: usize) {
        for &(literal, change) in &self.changes(unknown) {
            for &equation in &search.uses[literal.index()] {
                self.excess[equation as usize] += change;
                self.list(equation as usize);
            }
        }
        self.values[unknown] = !self.values[unknown];
    }

    /// Restores W2 for an equation.
    fn list(&mut self, equation: usize) {
        let spot = self.spot[equation];
        if self.excess[equation] != 0 && spot == NONE {
            self.spot[equation] = index32(self.violated.len());
            self.violated.push(index32(equation));
        } else if self.excess[equation] == 0 && spot != NONE {
            self.spot[equation] = NONE;
            self.violated.swap_remove(spot as usize);
            if let Some(&moved) = self.violated.get(spot as usize) {
                self.spot[moved as usize] = spot;
            }
        }
    }
}

// ===== reading and writing =====

fn answer(console: &mut Console) -> Result<(), Failure> {
    console.skip_byte_order_mark()?;
    let tests = console.count("the number of tests")?;
    let mut board = Board::default();
    for _ in 0..tests {
        read_board(console, &mut board)?;
        let verdict = if decide(&mut board) { "YES" } else { "NO" };
        writeln!(console.output, "{}", verdict).map_err(Failure::Output)?;
    }
    Ok(())
}

/// Reads rows, columns and cells; takes memory only for cells that are there.
fn read_board(console: &mut Console, board: &mut Board) -> Result<(), Failure> {
    board.rows = console.count("the number of rows")?;
    board.columns = console.count("the number of columns")?;
    board.cells.clear();
    let count = board.rows.saturating_mul(board.columns);
    while board.cells.len() < count {
        if !console.peek_past_blanks()?.map_or(false, is_cell) {
            return Err(console.unexpected("a cell"));
        }
        let left = count - board.cells.len();
        let glued = console.unread().split(|&cell| !is_cell(cell)).next();
        let width = glued.map_or(0, |cells| cells.len().min(left));
        board.cells.extend_from_slice(&console.unread()[..width]);
        console.take(width);
    }
    Ok(())
}

fn is_cell(cell: u8) -> bool {
    is_digit(cell) || cell == MINE || cell == UNKNOWN
}

#[cfg(test)]
#[path = "complete/tests.rs"]
mod tests;

// ===== console: the same lines in all three programs =====

/// Bytes asked of standard input at a time.
const CAPACITY: usize = 1 << 16;

/// Numbers saturate here: no input holds so many cells, and ten times it fits an `i64`.
const HUGE: i64 = 1_000_000_000_000_000;

/// Why a run ended before its last answer.
enum Failure {
    /// The input is bad or cannot be read; the message begins with line and column.
    Input(String),
    /// The output cannot be written.
    Output(io::Error),
}

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

    /// What has been read and not taken; may be empty before the end of the input.
    fn unread(&self) -> &[u8] {
        &self.buffer[self.next..self.end]
    }

    /// Takes the next `count` unread bytes.
    fn take(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.next);
        self.next += count;
    }

    /// Reads on behind the unread bytes, fewer than `CAPACITY`; `false` at the end.
    fn fill(&mut self) -> Result<bool, Failure> {
        self.output.flush().map_err(Failure::Output)?;
        let (line, column) = self.place();
        self.buffer.copy_within(self.next..self.end, 0);
        self.end -= self.next;
        self.next = 0;
        self.line = line;
        self.column = column;
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
    fn peek(&mut self) -> Result<Option<u8>, Failure> {
        while self.next == self.end && self.fill()? {}
        Ok(self.unread().first().copied())
    }

    /// The next byte but for spaces, tabs, CR and LF; not taken.
    fn peek_past_blanks(&mut self) -> Result<Option<u8>, Failure> {
        loop {
            match self.peek()? {
                Some(b' ') | Some(b'\t') | Some(b'\r') | Some(b'\n') => self.take(1),
                other => return Ok(other),
            }
        }
    }

    /// Takes `text` if it comes next, else nothing.
    fn accept(&mut self, text: &[u8]) -> Result<bool, Failure> {
        while self.unread().len() < text.len() && text.starts_with(self.unread()) && self.fill()? {}
        let found = self.unread().starts_with(text);
        if found {
            self.take(text.len());
        }
        Ok(found)
    }

    /// Takes the byte-order mark that some editors put first; it has no column.
    fn skip_byte_order_mark(&mut self) -> Result<(), Failure> {
        if self.accept(b"\xEF\xBB\xBF")? {
            self.column -= 1;
        }
        Ok(())
    }

    /// The next whole number, saturated at ±`HUGE`, and how many bytes it took.
    fn number(&mut self, expected: &str) -> Result<(i64, usize), Failure> {
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
    fn count(&mut self, expected: &str) -> Result<usize, Failure> {
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

    /// The failure `back` bytes before the next one, in the same line.
    fn refuse(&self, back: usize, message: &str) -> Failure {
        let (line, column) = (self.place().0, self.place().1 - back);
        Failure::Input(format!("line {}, column {}: {}", line, column, message))
    }

    /// The failure at the next byte: something else was expected.
    fn unexpected(&mut self, expected: &str) -> Failure {
        while self.unread().len() < 4 && self.unread().iter().all(|&byte| byte >= 0x80) {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => break,
                Err(failure) => return failure,
            }
        }
        let text = &self.unread()[..self.unread().len().min(4)];
        let valid = str::from_utf8(text)
            .unwrap_or_else(|error| str::from_utf8(&text[..error.valid_up_to()]).unwrap_or(""));
        let found = match (valid.chars().next(), text.first()) {
            (Some('\r'), _) | (Some('\n'), _) => "the end of the line".to_string(),
            (Some(character), _) => format!("{:?}", character),
            (None, Some(byte)) => format!("the byte 0x{:02X}", byte),
            (None, None) => "the end of the input".to_string(),
        };
        self.refuse(0, &mismatch(expected, &found))
    }
}

/// How many of the bytes pass the test. All input comes by here: each 128 are counted in a `u8`,
/// which they cannot overflow, so that one instruction counts many.
fn tally(bytes: &[u8], test: fn(u8) -> bool) -> usize {
    let count = |part: &[u8]| part.iter().map(|&byte| u8::from(test(byte))).sum::<u8>();
    let parts = bytes.chunks(128);
    parts.map(|part| usize::from(count(part))).sum()
}

/// The text of every complaint about what was read.
fn mismatch(expected: &str, found: &str) -> String {
    format!("expected {}, found {}", expected, found)
}

/// A number as messages show it.
fn spelled(value: i64) -> String {
    if value.abs() < HUGE {
        value.to_string()
    } else {
        "a number of more than 15 digits".to_string()
    }
}

/// Runs `answer` from standard input to standard output; returns the exit status: 1 for bad input or
/// output, 2 for arguments. A reader that has gone away (`| head`) is no failure.
fn launch(program: &str, usage: &str, answer: fn(&mut Console) -> Result<(), Failure>) -> i32 {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let mut output = BufWriter::with_capacity(CAPACITY, stdout.lock());
    let result = if arguments.is_empty() {
        answer(&mut Console::new(&mut stdin.lock(), &mut output))
    } else if arguments == ["-h"] || arguments == ["--help"] {
        output.write_all(usage.as_bytes()).map_err(Failure::Output)
    } else {
        let _ = io::stderr().write_all(usage.as_bytes());
        return 2;
    };
    let flushed = output.flush().map_err(Failure::Output);
    let message = match result.and(flushed) {
        Ok(()) => return 0,
        Err(Failure::Output(ref error)) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
        Err(Failure::Output(error)) => format!("cannot write: {}", error),
        Err(Failure::Input(message)) => message,
    };
    let _ = writeln!(io::stderr(), "{}: {}", program, message);
    1
}

// ===== end of console =====
