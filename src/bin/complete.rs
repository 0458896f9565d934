//! *Problem.* Boards of digits, mines `*` and unknown cells `?`: can every `?` be made a mine or
//! no mine so that each digit tells the mines among its up to 8 neighbours?
//!
//! *Input.* The number of tests; for each its rows, columns and cells, glued or spaced.
//! *Output.* A line `YES` or `NO` for each, at once.
//!
//! *Method.* The question is NP-complete (Kaye 2000), but boards that exist have structure, and
//! each stage takes away one kind of it. [`decide`] is the recipe:
//! 1. *scan*: the bounds of every digit; a handful of unknowns is enumerated in place;
//! 2. *presolve*: unknowns without a choice are settled, equal and opposite ones become one;
//! 3. *components*, which share no unknown, are decided each by itself, in growing rounds, by
//! 4. *learning search* (CDCL) on the digits' equations,
//! 5. *matching*, where a proof has to count,
//! 6. *local search*, for large boards with many completions, and
//! 7. *relaxation*: what has no solution in fractions has none;
//! 8. *recount*: a completion not enumerated is counted on the whole board.
//!
//! *Why it is right.* The presolve only draws conclusions. A clause is learnt by resolving
//! consequences of the equations. Every completion is a perfect matching. A conflict without a decision
//! proves `NO`; so does a matching that cannot be perfect, or a sum of rows out of reach.
//! `YES` is counted.
//!
//! *Cost.* Near-linear up to stage 3, exponential at worst behind. Memory: 2 to 7 bytes a
//! cell, from stage 2 on 18 to 60; 300 an unknown searched, then the clauses.
//!
//! *Source.* Een, Sorensson 2003 (MiniSat); Edmonds 1965 (blossoms); Selman, Kautz, Cohen 1994
//! (WalkSAT); Nesterov 1983 (acceleration).

#![forbid(unsafe_code)]

use std::collections::{HashSet, VecDeque};
use std::convert::TryFrom;
use std::env;
use std::io::{self, BufWriter, Read, Write};
use std::mem;
use std::ops::{BitXor, Range};

const USAGE: &str = "\
usage: complete < boards

The number of tests; for each its rows, columns and cells (0 to 8, '*' a mine,
'?' unknown). Prints YES or NO: can every '?' be completed?

    1
    2 2
    *1
    3?

prints NO.
";

const MINE: u8 = b'*';
const UNKNOWN: u8 = b'?';
/// Found to be no mine.
const SAFE: u8 = b'_';

fn main() {
    std::process::exit(launch("complete", USAGE, answer));
}

/// The recipe: can the unknowns be completed?
fn decide(board: &mut Board) -> bool {
    let unknowns = first_unknowns(board);
    if unknowns.len() <= FEW {
        return rooms(board).map_or(false, |mut rooms| enumerate(board, &mut rooms, &unknowns));
    }
    scan(board).map_or(false, |open| open.is_empty() || solve(board, &open))
}

/// Stages 2 to 8: the equations of the open digits, and one of their solutions, recounted.
fn solve(board: &mut Board, open: &[usize]) -> bool {
    let mut system = System::new(board, open);
    if !system.presolve() || !decide_components(&mut system, open) {
        return false;
    }
    for cell in 0..system.board.cells.len() {
        if system.board.cells[cell] == UNKNOWN {
            system.settle(system.same[cell]);
        }
    }
    assert_eq!(scan(board), Some(Vec::new()));
    true
}

// ===== board =====

/// In a frame of `SAFE` cells: one behind each row, a row behind the last, a row and one before the
/// first.
#[derive(Default)]
struct Board {
    columns: usize,
    /// Digits, `MINE`, `UNKNOWN` or `SAFE`.
    cells: Vec<u8>,
}

impl Board {
    /// The 8 cells around `cell`, which is not of the frame.
    fn neighbours(&self, cell: usize) -> [usize; 8] {
        let row = self.columns + 1;
        let ways = [0, 1, 2, row, row + 2, 2 * row, 2 * row + 1, 2 * row + 2];
        ways.map(|way| cell - row - 1 + way)
    }
}

fn is_digit(cell: u8) -> bool {
    cell.wrapping_sub(b'0') <= 8
}

/// A mine weighs 1 and an unknown 16: the sum of up to nine fits a byte and tells both.
fn weight(cell: u8) -> u8 {
    u8::from(cell == MINE) + 16 * u8::from(cell == UNKNOWN)
}

// ===== stage 1: scan =====
// The room of a digit is what may still come around it: the mines that it lacks, and 16 times its
// other unknowns. A value given to an unknown takes 1 or 16 from the room of all around.

/// The room of what is no digit: 8 unknowns never use it up.
const AMPLE: u8 = 8 + 16 * 8;
/// So many unknowns are enumerated, in 2^11 steps at most.
const FEW: usize = 10;

/// The digits with unknowns around them; `None` if a digit has too many mines or too few.
fn scan(board: &Board) -> Option<Vec<usize>> {
    let cells = board.cells.iter().zip(rooms(board)?).enumerate();
    let open = cells.filter(|&(_, (&cell, room))| is_digit(cell) && room > 0);
    Some(open.map(|(cell, _)| cell).collect())
}

/// The room of each cell; `None` as above. Bytes without a branch: one instruction does many.
fn rooms(board: &Board) -> Option<Vec<u8>> {
    let (cells, row) = (&board.cells, board.columns + 1);
    let (mut rooms, mut wrong) = (vec![AMPLE; cells.len()], 0);
    let rows = cells.windows(3).zip(cells[row..].windows(3));
    let rows = rows.zip(cells[2 * row..].windows(3));
    for (((above, here), below), room) in rows.zip(&mut rooms[row + 1..]) {
        let column = |at: usize| weight(above[at]) + weight(here[at]) + weight(below[at]);
        let sum = column(0) + column(1) + column(2);
        // Wraps to a large number with too many mines.
        let lacking = here[1].wrapping_sub(b'0').wrapping_sub(sum & 15);
        let bounded = (sum & 0xF0).wrapping_sub(lacking.wrapping_mul(15));
        *room = if is_digit(here[1]) { bounded } else { AMPLE };
        wrong |= u8::from(is_digit(here[1]) & (lacking > sum >> 4));
    }
    Some(rooms).filter(|_| wrong == 0)
}

fn first_unknowns(board: &Board) -> Vec<usize> {
    let parts = board.cells.chunks(64).zip((0..).step_by(64));
    let parts = parts.filter(|part| part.0.contains(&UNKNOWN));
    let cells = parts.flat_map(|(part, start)| (start..).zip(part));
    let unknowns = cells.filter(|cell| *cell.1 == UNKNOWN);
    unknowns.map(|cell| cell.0).take(FEW + 1).collect()
}

/// Gives each unknown a value for which all around have room; `FEW` deep at most. In the end no
/// digit has room left: all count right.
fn enumerate(board: &Board, rooms: &mut [u8], unknowns: &[usize]) -> bool {
    let (&cell, rest) = match unknowns.split_first() {
        Some(split) => split,
        None => return true,
    };
    for &unit in &[16, 1] {
        let has_room = |&other: &usize| rooms[other] & (15 * unit) > 0;
        if board.neighbours(cell).iter().all(has_room) {
            for other in board.neighbours(cell) {
                rooms[other] -= unit;
            }
            if enumerate(board, rooms, rest) {
                return true;
            }
            for other in board.neighbours(cell) {
                rooms[other] += unit;
            }
        }
    }
    false
}

// ===== stage 2: presolve =====
// Each digit is an equation: so many of its literals are true. Wires are chains of equal and opposite
// unknowns: of 188,016 on one board 344 are left.

const NONE: u32 = !0;

/// An unknown (even), or its opposite (odd): `literal ^ true`.
#[derive(Clone, Copy, PartialEq)]
struct Literal(u32);

impl Literal {
    fn new(unknown: usize, is_opposite: bool) -> Self {
        Literal(narrow::<u32>(2 * unknown) + u32::from(is_opposite))
    }

    fn unknown(self) -> usize {
        (self.0 / 2) as usize
    }

    fn is_opposite(self) -> bool {
        self.0 % 2 == 1
    }
}

impl BitXor<bool> for Literal {
    type Output = Self;

    fn bitxor(self, flip: bool) -> Self {
        Literal(self.0 ^ u32::from(flip))
    }
}

fn narrow<T: TryFrom<usize>>(number: usize) -> T {
    T::try_from(number).ok().expect("fewer than 2^31 cells")
}

/// The equations of a board. Its cells are the unknowns; what is settled stands on the board.
///
/// - S1: unknowns known to be equal or opposite form a class: `same` of each is the literal of one of
///   them that it equals, where `sizes` counts them; `next` leads around all.
/// - S2: in presolve digits that read otherwise than last time are in `queue`, each once. They are
///   `listed`, and so is what began without unknowns.
struct System<'a> {
    board: &'a mut Board,
    same: Vec<Literal>,
    next: Vec<u32>,
    sizes: Vec<u32>,
    queue: VecDeque<usize>,
    listed: Vec<bool>,
    /// The unknowns' numbers in searches.
    numbers: Vec<u32>,
}

impl<'a> System<'a> {
    fn new(board: &'a mut Board, open: &[usize]) -> Self {
        let count = board.cells.len();
        System {
            board,
            same: (0..count).map(|cell| Literal::new(cell, false)).collect(),
            next: (0..narrow(count)).collect(),
            sizes: vec![1; count],
            queue: open.iter().copied().collect(),
            listed: vec![true; count],
            numbers: vec![NONE; count],
        }
    }

    /// Settles and merges; `false` at a contradiction.
    fn presolve(&mut self) -> bool {
        while let Some(digit) = self.queue.pop_front() {
            self.listed[digit] = false;
            let (literals, lacking) = self.read(digit);
            let count = narrow(literals.len());
            if !(0..=count).contains(&lacking) {
                return false;
            }
            if lacking == 0 || lacking == count {
                for literal in literals {
                    self.settle(literal ^ (lacking == 0));
                }
            } else if count == 2 && !self.merge(literals[0], literals[1] ^ true) {
                return false;
            }
        }
        true
    }

    /// The literals of the unknowns around a digit, and how many must be true.
    fn read(&self, digit: usize) -> (Vec<Literal>, i32) {
        let cells = &self.board.cells;
        let (mut literals, mut lacking) = (Vec::with_capacity(8), i32::from(cells[digit] - b'0'));
        for cell in self.board.neighbours(digit) {
            let opposite = |&other: &Literal| other == self.same[cell] ^ true;
            let clash = literals.iter().position(opposite);
            match (cells[cell], clash) {
                (UNKNOWN, None) => literals.push(self.same[cell]),
                (UNKNOWN, Some(other)) => {
                    literals.swap_remove(other);
                    lacking -= 1;
                }
                (MINE, _) => lacking -= 1,
                _ => {}
            }
        }
        (literals, lacking)
    }

    /// The class of an unknown; all digits around it are in the queue then.
    fn rouse(&mut self, cell: usize) -> Vec<usize> {
        let (mut class, mut next) = (Vec::new(), cell);
        while class.is_empty() || next != cell {
            for digit in self.board.neighbours(next) {
                self.enqueue(digit);
            }
            class.push(next);
            next = self.next[next] as usize;
        }
        class
    }

    fn settle(&mut self, literal: Literal) {
        for cell in self.rouse(literal.unknown()) {
            let is_mine = self.same[cell] == literal;
            self.board.cells[cell] = if is_mine { MINE } else { SAFE };
        }
    }

    /// Makes the classes of two literals one; `false` if they are opposites.
    fn merge(&mut self, one: Literal, other: Literal) -> bool {
        if one.unknown() == other.unknown() {
            return one == other;
        }
        // The smaller class moves, so that an unknown rarely does.
        let swap = self.sizes[one.unknown()] <= self.sizes[other.unknown()];
        let (kept, gone) = if swap { (other, one) } else { (one, other) };
        self.sizes[kept.unknown()] += self.sizes[gone.unknown()];
        for cell in self.rouse(gone.unknown()) {
            self.same[cell] = kept ^ (self.same[cell] != gone);
        }
        self.next.swap(kept.unknown(), gone.unknown());
        true
    }

    fn enqueue(&mut self, cell: usize) {
        if is_digit(self.board.cells[cell]) && !mem::replace(&mut self.listed[cell], true) {
            self.queue.push_back(cell);
        }
    }
}

// ===== stage 3: components =====
// Each gets a sprint, then rounds: matching, relaxation from the second on, local search and sprints
// in turn. Each doubles the conflicts: a hard component never hides an easy NO.

/// Conflicts of a sprint: a search caught far from all solutions rarely gets away.
const SPRINT: usize = 1000;

fn decide_components(system: &mut System, open: &[usize]) -> bool {
    let (mut starts, mut turns) = (open.iter(), VecDeque::new());
    while let Some(mut search) = starts
        .next()
        .map(|&start| Search::new(system, start))
        .or_else(|| turns.pop_front())
    {
        let verdict = match search.conflicts {
            0 => search.run(SPRINT),
            budget => Matching::new(&search)
                .decide(&mut search, LOOKS.saturating_mul(budget))
                .or_else(|| refute(&search, LOOKS.saturating_mul(budget - SPRINT)))
                .or_else(|| search.sprint(budget / SPRINT)),
        };
        match verdict {
            Some(true) => search.store(system),
            Some(false) => return false,
            None => turns.push_back(search),
        }
    }
    true
}

// ===== stage 4: learning search =====
// Conflict-driven clause learning as in MiniSat, but on rows of literals and counters: at most so many
// of an equation's terms are true, and of their opposites. Of a learnt clause not all are true.

/// Conflicts between restarts, at least.
const RESTART: usize = 256;
/// Of more clauses, plus one for each 8 conflicts, the half that is longer goes.
const CLAUSES: usize = 2000;

/// `level`, `reason` and `place` in the trail: of when it was settled last.
#[derive(Default)]
struct Unknown {
    level: usize,
    reason: u32,
    place: usize,
    /// Met by `resolve`; at level 0 always: it adds nothing.
    seen: bool,
}

/// The search in one component, with numbers of its own.
///
/// - L1: unknowns with a value stand in `trail` in the order of getting it, those of level n + 1
///   from `levels[n]` on.
/// - L2: counters count `trail[..head]`: 2n the literals of row n, 2n + 1 their opposites (-1 of a
///   clause).
/// - L3: above level 0 a literal in the trail is a decision (`NONE`), or its reason is a counter of
///   its opposite for which literals before it have left nothing.
/// - L4: the first `given` rows are equations, the others clauses; in the `uses` of literals too.
/// - L5: `next` and `last` make a ring of the unknowns, closed by their number; those of a conflict
///   move to the front. All before `at` have values.
#[derive(Default)]
struct Search {
    cells: Vec<usize>,
    unknowns: Vec<Unknown>,
    rows: Vec<Vec<Literal>>,
    /// How many more each counter may count: 0 makes the open ones false, below is a conflict.
    left: Vec<i32>,
    given: usize,
    /// The counters of each literal.
    uses: Vec<Vec<u32>>,
    values: Vec<Option<bool>>,
    /// The values aimed at.
    saved: Vec<bool>,
    trail: Vec<Literal>,
    head: usize,
    levels: Vec<usize>,
    /// The longest trail without a conflict since the restart.
    longest: usize,
    next: Vec<usize>,
    last: Vec<usize>,
    at: usize,
    conflicts: usize,
}

impl Search {
    /// Takes the component of `start`. Its digits stay listed: no start finds them again.
    fn new(system: &mut System, start: usize) -> Search {
        let mut search = Search::default();
        system.enqueue(start);
        while let Some(digit) = system.queue.pop_front() {
            let (mut terms, need) = system.read(digit);
            for term in &mut terms {
                let unknown = term.unknown();
                if system.numbers[unknown] == NONE {
                    system.numbers[unknown] = narrow(search.cells.len());
                    system.rouse(unknown);
                    search.cells.push(unknown);
                    search.uses.extend(vec![Vec::new(); 2]);
                }
                term.0 = 2 * system.numbers[unknown] + term.0 % 2;
            }
            let rest = narrow::<i32>(terms.len()) - need;
            search.add_row(terms, &[need, rest]);
        }
        search.given = search.rows.len();
        let count = search.cells.len();
        search.values = vec![None; count];
        search.saved = vec![false; count];
        search.unknowns.resize_with(count, Unknown::default);
        search.next = (1..=count).chain(Some(0)).collect();
        search.last = Some(count).into_iter().chain(0..count).collect();
        search
    }

    fn add_row(&mut self, row: Vec<Literal>, left: &[i32]) -> u32 {
        let counter = narrow(self.left.len());
        for &literal in &row {
            self.uses[literal.0 as usize].push(counter);
            if left[1] >= 0 {
                self.uses[(literal ^ true).0 as usize].push(counter + 1);
            }
        }
        self.rows.push(row);
        self.left.extend(left);
        counter
    }

    fn sprint(&mut self, times: usize) -> Option<bool> {
        (0..times).find_map(|_| Walk::new(self).improve(self).or_else(|| self.run(SPRINT)))
    }

    /// Searches for `budget` conflicts more or just above; `None` if they were not enough.
    fn run(&mut self, budget: usize) -> Option<bool> {
        let goal = self.conflicts + budget;
        loop {
            if let Some(causes) = self.propagate() {
                if self.levels.is_empty() {
                    return Some(false);
                }
                self.conflicts += 1;
                self.learn(causes);
            } else if self.conflicts >= goal {
                self.back_to(0);
                return None;
            } else if self.conflicts % RESTART == 0 && self.longest > 0 {
                self.restart(CLAUSES + self.conflicts / 8);
            } else if let Some(unknown) = self.first_open() {
                self.levels.push(self.trail.len());
                self.assign(Literal::new(unknown, !self.saved[unknown]), NONE);
            } else {
                return Some(true);
            }
        }
    }

    fn assign(&mut self, literal: Literal, reason: u32) {
        let (unknown, value) = (literal.unknown(), !literal.is_opposite());
        self.values[unknown] = Some(value);
        let unknown = &mut self.unknowns[unknown];
        unknown.level = self.levels.len();
        unknown.reason = reason;
        unknown.place = self.trail.len();
        unknown.seen = unknown.level == 0;
        self.trail.push(literal);
    }

    /// Counts the trail in all rows (L2), with what they force; returns the causes of a conflict.
    fn propagate(&mut self) -> Option<Vec<Literal>> {
        let mut conflict = None;
        while conflict.is_none() && self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            let uses = mem::take(&mut self.uses[literal.0 as usize]);
            for &counter in &uses {
                let left = &mut self.left[counter as usize];
                *left -= 1;
                if *left < 0 {
                    conflict = Some(counter);
                } else if *left == 0 && conflict.is_none() {
                    self.fill(counter);
                }
            }
            self.uses[literal.0 as usize] = uses;
        }
        conflict.map(|counter| self.causes(counter, self.trail.len()))
    }

    /// Makes the open ones of the literals counted false.
    fn fill(&mut self, counter: u32) {
        let row = (counter / 2) as usize;
        for at in 0..self.rows[row].len() {
            let literal = self.rows[row][at];
            if self.values[literal.unknown()].is_none() {
                self.assign(literal ^ (counter % 2 == 0), counter);
            }
        }
    }

    fn back_to(&mut self, level: usize) {
        let length = *self.levels.get(level).unwrap_or(&self.trail.len());
        for (place, &literal) in self.trail.iter().enumerate().skip(length) {
            self.values[literal.unknown()] = None;
            if place < self.head {
                for &counter in &self.uses[literal.0 as usize] {
                    self.left[counter as usize] += 1;
                }
            }
        }
        self.trail.truncate(length);
        self.head = self.head.min(length);
        self.levels.truncate(level);
        self.at = self.next[self.values.len()];
    }

    /// Learns the clause of the first unique implication point; goes back to where it forces that.
    fn learn(&mut self, causes: Vec<Literal>) {
        // Aims at the values below its level, if they are the most since the restart.
        let length = *self.levels.last().unwrap_or(&0);
        if length > self.longest {
            self.longest = length;
            for literal in &self.trail[..length] {
                self.saved[literal.unknown()] = !literal.is_opposite();
            }
        }
        let clause = self.resolve(causes);
        let level = |second: &Literal| self.unknowns[second.unknown()].level;
        self.back_to(clause.get(1).map_or(0, level));
        let forced = clause[0] ^ true;
        let reason = self.add_row(clause, &[0, -1]);
        self.assign(forced, reason);
    }

    /// Resolves a conflict with reasons until one literal of its level is left; it comes first.
    fn resolve(&mut self, mut causes: Vec<Literal>) -> Vec<Literal> {
        let (mut seen, mut open, mut at) = (Vec::new(), 0, self.trail.len());
        loop {
            for literal in causes {
                let unknown = &mut self.unknowns[literal.unknown()];
                if !mem::replace(&mut unknown.seen, true) {
                    seen.push(literal);
                    open += usize::from(unknown.level == self.levels.len());
                }
            }
            at -= 1;
            while !self.unknowns[self.trail[at].unknown()].seen {
                at -= 1;
            }
            open -= 1;
            if open == 0 {
                break;
            }
            causes = self.causes(self.unknowns[self.trail[at].unknown()].reason, at);
        }
        seen.sort_by_key(|&literal| !self.place(literal));
        let kept = seen.iter().copied().filter(|&x| self.place(x) <= at);
        let clause = kept.collect();
        for literal in seen {
            self.unknowns[literal.unknown()].seen = false;
            self.move_to_front(literal.unknown());
        }
        clause
    }

    fn place(&self, literal: Literal) -> usize {
        self.unknowns[literal.unknown()].place
    }

    /// What a counter counts in the trail before `at`.
    fn causes(&self, counter: u32, at: usize) -> Vec<Literal> {
        let is_before = |&x: &Literal| self.trail[..at].get(self.place(x)) == Some(&x);
        let row = self.rows[(counter / 2) as usize].iter();
        let literals = row.map(|&literal| literal ^ (counter % 2 > 0));
        literals.filter(is_before).collect()
    }

    /// Goes back to level 0, with a new aim; of more than `most` clauses the longer half goes.
    fn restart(&mut self, most: usize) {
        self.back_to(0);
        self.longest = 0;
        if self.rows.len() - self.given <= most {
            return;
        }
        // Those that stay are renumbered: level 0 asks for no reason.
        let rows = self.rows.split_off(self.given);
        let left = self.left.split_off(2 * self.given);
        let given = narrow(self.left.len());
        for uses in &mut self.uses {
            uses.retain(|&counter| counter < given);
        }
        let mut clauses: Vec<_> = left.chunks(2).zip(rows).collect();
        clauses.sort_by_key(|clause| clause.1.len());
        for (left, row) in clauses.drain(..clauses.len() / 2) {
            self.add_row(row, left);
        }
    }

    fn first_open(&mut self) -> Option<usize> {
        while self.values.get(self.at)?.is_some() {
            self.at = self.next[self.at];
        }
        Some(self.at)
    }

    fn move_to_front(&mut self, unknown: usize) {
        let (next, last, end) = (self.next[unknown], self.last[unknown], self.values.len());
        self.next[last] = next;
        self.last[next] = last;
        let front = mem::replace(&mut self.next[end], unknown);
        self.last[front] = unknown;
        self.next[unknown] = front;
        self.last[unknown] = end;
        self.at = unknown;
    }

    fn store(&self, system: &mut System) {
        for (unknown, &cell) in self.cells.iter().enumerate() {
            let value = self.values[unknown].unwrap_or(self.saved[unknown]);
            system.settle(Literal::new(cell, !value));
        }
    }

    fn given_uses(&self, unknown: usize) -> impl Iterator<Item = (usize, Literal)> + '_ {
        let uses = self.uses[2 * unknown].iter();
        let uses = uses.map(move |x| ((x / 2) as usize, Literal::new(unknown, x % 2 > 0)));
        uses.take_while(move |used| used.0 < self.given)
    }

    /// How many more terms are true with this one flipped.
    fn change(&self, term: Literal) -> i32 {
        1 - 2 * i32::from(self.saved[term.unknown()] != term.is_opposite())
    }

    fn open_terms(&self, equation: usize) -> impl Iterator<Item = Literal> + '_ {
        let terms = self.rows[equation].iter().copied();
        terms.filter(move |term| self.values[term.unknown()].is_none())
    }
}

// ===== stage 5: matching =====
// Dominoes on a mutilated board, wrong parity, too few corridors between squares: as these grow, learnt
// proofs explode, matching needs none. An equation has a port for each open term and a copy for
// each true term that it needs. A port is matched with a copy where its term is true, else with its
// twin, a port of the same unknown, or with itself if there is none. (Of more ports each two are
// twins.) So a solution is a perfect matching: without one there is none.

/// Looks at edges for each conflict; at terms, but for the first sprint.
const LOOKS: usize = 100_000;

#[derive(Clone)]
struct Node {
    /// The copies of a port's equation, the ports of a copy's.
    around: Range<u32>,
    /// One more node to be matched with.
    twin: u32,
    mate: u32,
    via: u32,
    base: u32,
}

/// The search for augmenting paths is Edmonds': outer nodes are reached by paths of even length.
///
/// - M1: `mate` is symmetric, and along edges.
/// - M2: the path from an outer node to the root goes on to its `mate`, that from an inner one to
///   `via`. All nodes of a shrunk odd cycle (blossom) are outer; `via` of all but its base goes around.
/// - M3: `base`, `NONE` unless outer, is union-find: a blossom's lead to the one nearest to the root.
#[derive(Default)]
struct Matching {
    nodes: Vec<Node>,
    /// The equations, and the first port of each.
    ports: Vec<(u32, usize)>,
    /// The outer nodes; the inner ones are their mates.
    queue: Vec<u32>,
}

impl Matching {
    fn new(search: &Search) -> Matching {
        let mut matching = Matching::default();
        let mut single = vec![None; search.cells.len()];
        // Twins are near, of two colours; ports without one meet last.
        let is_odd = |term: &&Literal| search.given_uses(term.unknown()).count() % 2 > 0;
        let mut order: Vec<_> = (0..search.given).collect();
        order.sort_by_cached_key(|&equation| {
            let row = &search.rows[equation];
            let odd = row.iter().filter(is_odd).count();
            (odd, row.first().map(|term| search.cells[term.unknown()]))
        });
        for equation in order {
            let first = narrow(matching.nodes.len());
            let middle = first + narrow::<u32>(search.open_terms(equation).count());
            let end = middle + u32::try_from(search.left[2 * equation]).unwrap_or(0);
            (first..middle).for_each(|port| matching.add(middle..end, port));
            (middle..end).for_each(|_| matching.add(first..middle, first));
            for port in (first..).zip(search.open_terms(equation)) {
                match single[port.1.unknown()].take() {
                    Some(other) => matching.join(port, other),
                    None => single[port.1.unknown()] = Some(port),
                }
            }
            matching.ports.push((first, equation));
        }
        matching
    }

    fn node(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn add(&mut self, around: Range<u32>, twin: u32) {
        self.nodes.push(Node {
            around,
            twin,
            mate: NONE,
            via: NONE,
            base: NONE,
        });
    }

    /// Makes two ports twins; of opposite literals both twins of a node between them.
    fn join(&mut self, (one, literal): (u32, Literal), (other, same): (u32, Literal)) {
        let mut twins = (other, one);
        if literal != same {
            let between = narrow(self.nodes.len());
            self.add(one..one + 1, other);
            twins = (between, between);
        }
        self.node(one).twin = twins.0;
        self.node(other).twin = twins.1;
    }

    /// `Some(false)` if not all can be matched, as far as `looks` tell; `Some(true)` if all ports of each
    /// unknown agree: their values are saved.
    fn decide(mut self, search: &mut Search, mut looks: usize) -> Option<bool> {
        for node in 0..narrow(self.nodes.len()) {
            if self.node(node).mate == NONE && !self.augment(node, &mut looks) {
                return Some(false).filter(|_| looks > 0);
            }
        }
        let mut values = search.values.clone();
        for (first, equation) in mem::take(&mut self.ports) {
            for (port, literal) in (first..).zip(search.open_terms(equation)) {
                let value = (self.node(port).mate != self.node(port).twin) != literal.is_opposite();
                if values[literal.unknown()].replace(value) == Some(!value) {
                    return None;
                }
            }
        }
        search.saved = values.into_iter().flatten().collect();
        Some(true)
    }

    /// Flips an augmenting path from the root; `false` if there is none.
    fn augment(&mut self, root: u32, looks: &mut usize) -> bool {
        for outer in mem::take(&mut self.queue) {
            for &node in &[outer, self.node(outer).mate] {
                self.node(node).via = NONE;
                self.node(node).base = NONE;
            }
        }
        self.make_outer(root);
        let mut at = 0;
        while let Some(&node) = self.queue.get(at) {
            at += 1;
            let Node { around, twin, .. } = self.node(node).clone();
            *looks = looks.saturating_sub(1 + around.len());
            let mut others = around.chain(Some(twin));
            if *looks > 0 && others.any(|other| self.explore(node, other)) {
                return true;
            }
        }
        false
    }

    fn make_outer(&mut self, node: u32) {
        self.node(node).base = node;
        self.queue.push(node);
    }

    /// Looks at an edge from an outer node; `true` if a path was found and flipped.
    fn explore(&mut self, outer: u32, other: u32) -> bool {
        let mate = self.node(other).mate;
        if outer == other {
            self.node(outer).mate = outer;
            self.flip(mate);
            return true;
        }
        if self.node(other).base != NONE {
            let base = self.common_base(outer, other);
            self.shrink(outer, other, base);
            self.shrink(other, outer, base);
        } else if self.node(other).via == NONE {
            self.node(other).via = outer;
            if mate == NONE || mate == other {
                self.flip(other);
                return true;
            }
            self.make_outer(mate);
        }
        false
    }

    /// Gives all inner nodes on the path to the root the mates that they were reached from.
    fn flip(&mut self, mut inner: u32) {
        while inner != NONE {
            let outer = self.node(inner).via;
            let next = self.node(outer).mate;
            self.node(inner).mate = outer;
            self.node(outer).mate = inner;
            inner = next;
        }
    }

    fn find(&mut self, mut node: u32) -> u32 {
        while self.node(node).base != node {
            let above = self.node(node).base;
            self.node(node).base = self.node(above).base;
            node = above;
        }
        node
    }

    /// The first base on the paths from both nodes, walked in turn.
    fn common_base(&mut self, mut near: u32, mut far: u32) -> u32 {
        let mut seen = HashSet::new();
        loop {
            if near != NONE {
                near = self.find(near);
                if !seen.insert(near) {
                    return near;
                }
                let mate = self.node(near).mate;
                near = self.nodes.get(mate as usize).map_or(NONE, |mate| mate.via);
            }
            mem::swap(&mut near, &mut far);
        }
    }

    /// Shrinks one side of a blossom, from `outer` to `base`; `other` is beyond the edge that closed it.
    /// What was inner is outer now, on the way around.
    fn shrink(&mut self, mut outer: u32, mut other: u32, base: u32) {
        while self.find(outer) != base {
            self.node(outer).via = other;
            other = self.node(outer).mate;
            if self.node(other).base == NONE {
                self.make_outer(other);
            }
            for &node in &[outer, other] {
                if self.node(node).base == node {
                    self.node(node).base = base;
                }
            }
            outer = self.node(other).via;
        }
    }
}

// ===== stage 6: local search =====
// From the saved values, flip in a violated equation what costs least, of equals the longest at rest.
// One in 120 is random. In the first round a penalty rises where no flip pays: errors meet and cancel.
// Once that slows, all are 1. It can only say YES.

/// Steps per unknown between counts of the violations.
const PIECE: usize = 10;
/// So few violations are left to the search, after some steps away from where it was.
const NEARLY: usize = 6;

/// - W1: `excess` is the number of true terms of an equation less what it needs.
/// - W2: all equations whose excess is not 0, and some more, are `listed` in `violated`.
#[derive(Default)]
struct Walk {
    excess: Vec<i32>,
    penalty: Vec<i32>,
    /// What penalties rise by: 1 or 0.
    rise: i32,
    violated: Vec<usize>,
    listed: Vec<bool>,
    /// The step that flipped an unknown last.
    flipped: Vec<u64>,
    steps: u64,
}

impl Walk {
    fn new(search: &Search) -> Walk {
        let mut walk = Walk {
            penalty: vec![1; search.given],
            rise: i32::from(search.conflicts < 2 * SPRINT),
            listed: vec![false; search.given],
            flipped: vec![0; search.saved.len()],
            ..Walk::default()
        };
        for equation in 0..search.given {
            let open = search.open_terms(equation);
            let chosen = open.filter(|&term| search.change(term) < 0).count();
            walk.excess
                .push(narrow::<i32>(chosen) - search.left[2 * equation]);
            walk.list(equation);
        }
        walk
    }

    /// Flips until few are violated; `Some(true)` if none are.
    fn improve(mut self, search: &mut Search) -> Option<bool> {
        let count = search.saved.len();
        for _ in 0..12 {
            let before = self.violated.len();
            for _ in 0..PIECE * count {
                let is_shaken = self.rise == 0 && self.steps > 3 * count as u64;
                if self.violated.len() <= NEARLY * usize::from(is_shaken) {
                    return Some(true).filter(|_| self.violated.is_empty());
                }
                self.step(search);
            }
            if self.violated.len() > NEARLY.max(before * 3 / 4) {
                self.rise = 0;
                self.penalty.fill(1);
            }
        }
        None
    }

    fn step(&mut self, search: &mut Search) {
        self.steps += 1;
        let salt = self.steps.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let spot = (salt >> 40) as usize % self.violated.len();
        let equation = self.violated.swap_remove(spot);
        self.listed[equation] = false;
        let open = search.open_terms(equation);
        let helpful = open.filter(|&term| search.change(term) * self.excess[equation] < 0);
        let ranked = helpful.map(|term| match term.unknown() {
            unknown if salt % 120 == 0 => (0, u64::from(term.0) ^ salt >> 32, unknown),
            unknown => (self.cost(search, unknown), self.flipped[unknown], unknown),
        });
        if let Some((cost, _, unknown)) = ranked.min() {
            self.penalty[equation] += self.rise * i32::from(cost >= 0);
            for (number, term) in search.given_uses(unknown) {
                self.excess[number] += search.change(term);
                self.list(number);
            }
            search.saved[unknown] ^= true;
            self.flipped[unknown] = self.steps;
        }
    }

    /// What a flip of the unknown adds to the violations, each times its penalty.
    fn cost(&self, search: &Search, unknown: usize) -> i32 {
        let costs = search.given_uses(unknown).map(|(number, term)| {
            let excess = self.excess[number];
            self.penalty[number] * ((excess + search.change(term)).abs() - excess.abs())
        });
        costs.sum()
    }

    /// Restores W2 for an equation.
    fn list(&mut self, equation: usize) {
        if self.excess[equation] != 0 && !mem::replace(&mut self.listed[equation], true) {
            self.violated.push(equation);
        }
    }
}

// ===== stage 7: relaxation =====
// Many boards without a completion have none in fractions either: some sum of multiples of equations
// is out of reach (Farkas' lemma). Take the rests as multiples: where their squares are least, it is
// so by just that much. Short learnt clauses, as inequalities, cut fractions off. It can only say NO.

/// True; false is `-ONE`. A row adds at most 2^39 to the excess: 2^22 rows fit.
const ONE: i64 = 1 << 30;

/// Steps as far as looks go; just once if the component is large.
fn refute(search: &Search, looks: usize) -> Option<bool> {
    let mut fractions = vec![(0, 0); search.cells.len()];
    let (mut steps, mut last) = (0, 0);
    // Looks a step: a row has about 5 terms.
    let size = 5 * search.rows.len();
    for _ in 0..looks / size {
        let (excess, square) = step(search, &mut fractions, steps);
        if excess > 0 {
            return Some(false);
        } else if square < 1 << 48 || size > looks / size {
            break;
        }
        // Momentum is lost where the squares grow.
        steps = if square > last { 0 } else { steps + 1 };
        last = square;
    }
    None
}

/// A step from (now, ahead); returns by how much a sum is out of reach, and the rests' squares.
fn step(search: &Search, fractions: &mut [(i64, i64)], steps: i64) -> (i64, i128) {
    let (mut excess, mut square) = (0, 0);
    let mut pulls = vec![(0, 1); fractions.len()];
    let signed = |term: Literal, x: i64| if term.is_opposite() { -x } else { x };
    let is_short = |&number: &usize| search.rows[number].len() <= 8;
    for number in (0..search.rows.len()).filter(is_short) {
        let terms = || search.open_terms(number);
        let size = narrow::<i64>(terms().count());
        let sum = 2 * i64::from(search.left[2 * number]) - size;
        let values = terms().map(|term| signed(term, fractions[term.unknown()].1));
        let mut rest = ONE * sum - values.sum::<i64>();
        if number >= search.given {
            rest = rest.min(0);
        }
        for term in terms() {
            let (pull, weight) = &mut pulls[term.unknown()];
            *pull += signed(term, rest);
            *weight += size;
        }
        excess += sum * rest;
        square += i128::from(rest).pow(2);
    }
    for ((now, ahead), (pull, weight)) in fractions.iter_mut().zip(pulls) {
        let next = (*ahead + pull / weight).clamp(-ONE, ONE);
        *ahead = next + (next - *now) * steps / (steps + 3);
        *now = next;
        excess -= i64::abs(pull);
    }
    (excess, square)
}

// ===== reading and writing =====

fn answer(console: &mut Console) -> io::Result<()> {
    console.skip_byte_order_mark()?;
    let tests = console.count("the number of tests")?;
    let mut board = Board::default();
    for _ in 0..tests {
        read_board(console, &mut board)?;
        let verdict = if decide(&mut board) { "YES" } else { "NO" };
        writeln!(console.output, "{}", verdict)?;
    }
    Ok(())
}

/// Takes memory only for cells that are there, and then for their frame.
fn read_board(console: &mut Console, board: &mut Board) -> io::Result<()> {
    let rows = console.count("the number of rows")?;
    board.columns = console.count("the number of columns")?;
    board.cells.clear();
    for row in 0..rows {
        read_row(console, board)?;
        if row == 0 {
            board.cells.splice(..0, vec![SAFE; board.columns + 2]);
        }
        board.cells.push(SAFE);
    }
    board.cells.extend(vec![SAFE; board.columns + 1]);
    Ok(())
}

fn read_row(console: &mut Console, board: &mut Board) -> io::Result<()> {
    let mut left = board.columns;
    while left > 0 {
        if !console.peek_past_blanks()?.map_or(false, is_cell) {
            return Err(console.unexpected("a cell"));
        }
        let next = console.unread().chunks(left.min(64)).next().unwrap_or(&[]);
        let glued = tally(next, is_cell) == next.len();
        let width = if glued { next.len() } else { 1 };
        board.cells.extend_from_slice(&next[..width]);
        console.take(width);
        left -= width;
    }
    Ok(())
}

fn is_cell(byte: u8) -> bool {
    is_digit(byte) | (byte == MINE) | (byte == UNKNOWN)
}

#[cfg(test)]
#[path = "complete/tests.rs"]
mod tests;

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
