//! Small boards against all completions, each stage by itself and all together.

use super::*;

/// A generator that gives the same boards everywhere (Steele, Lea, Flood: SplitMix, 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// A true board with hidden cells, and perhaps a digit moved: near the edge between YES and NO.
fn random_board(random: &mut Random, unknowns: usize) -> Board {
    let (rows, columns) = (1 + random.below(6) as usize, 1 + random.below(6) as usize);
    let mut board = Board {
        rows,
        columns,
        cells: vec![SAFE; rows * columns],
    };
    let density = 1 + random.below(9);
    for cell in &mut board.cells {
        if random.below(10) < density {
            *cell = MINE;
        }
    }
    let mines = board.cells.clone();
    for cell in 0..mines.len() {
        if mines[cell] != MINE {
            let count = board.neighbours(cell).filter(|&other| mines[other] == MINE);
            board.cells[cell] = b'0' + count.count() as u8;
        }
    }
    for _ in 0..unknowns {
        let cell = random.below(board.cells.len() as u64) as usize;
        board.cells[cell] = UNKNOWN;
    }
    let cell = random.below(board.cells.len() as u64) as usize;
    if is_digit(board.cells[cell]) && random.below(2) == 0 {
        board.cells[cell] = b'0' + random.below(9) as u8;
    }
    board
}

/// All 2^k completions, counted from the definition.
fn has_completion(board: &Board) -> bool {
    let is_unknown = |&cell: &usize| board.cells[cell] == UNKNOWN;
    let unknowns: Vec<usize> = (0..board.cells.len()).filter(is_unknown).collect();
    (0..1u32 << unknowns.len()).any(|mask| {
        let mut cells = board.cells.clone();
        for (bit, &cell) in unknowns.iter().enumerate() {
            cells[cell] = if mask >> bit & 1 == 1 { MINE } else { SAFE };
        }
        (0..cells.len())
            .filter(|&cell| is_digit(cells[cell]))
            .all(|cell| {
                let mines = board.neighbours(cell).filter(|&other| cells[other] == MINE);
                mines.count() == usize::from(cells[cell] - b'0')
            })
    })
}

/// S1 and S2 of a system whose queue is empty (S3), and that it has the board's total.
fn check_system(system: &System) {
    for (slot, term) in system.terms.iter().enumerate() {
        if let Some(literal) = term {
            let unknown = literal.unknown();
            assert!(system.values[unknown].is_none(), "S1: a settled unknown");
            let is_merged = system
                .merged
                .iter()
                .any(|(gone, _)| gone.unknown() == unknown);
            assert!(!is_merged, "S1: a merged unknown");
            let same = slots(slot / WIDTH).filter(|&other| {
                system.terms[other].map_or(false, |other| other.unknown() == unknown)
            });
            assert_eq!(same.count(), 1, "S1: an unknown twice in an equation");
            assert!(system.uses[unknown].contains(&(slot as u32)), "S2");
        }
    }
}

/// L1, L2 and O1 of a search at any time.
fn check_search(search: &Search) {
    for (at, literal) in search.trail.iter().enumerate() {
        assert_eq!(search.values[literal.index()], 1, "L1");
        assert_eq!(search.place[literal.unknown()] as usize, at, "L1");
    }
    let settled = search.values.iter().filter(|&&value| value > 0).count();
    assert_eq!(settled, search.trail.len(), "L1");
    let counted = &search.trail[..search.head];
    for equation in &search.equations {
        let terms = &search.terms[equation.terms.clone()];
        let met = terms.iter().filter(|term| counted.contains(term)).count() as i32;
        let missed = terms
            .iter()
            .filter(|&&term| counted.contains(&!term))
            .count() as i32;
        let sum = equation.counters[NEED] + equation.counters[SLACK];
        assert_eq!(sum, terms.len() as i32 - met - missed, "L2");
    }
    let (mut unknown, end) = (
        search.order.next[search.unknowns.len()],
        search.unknowns.len(),
    );
    for _ in 0..end {
        assert_eq!(search.order.last[search.order.next[unknown]], unknown, "O1");
        unknown = search.order.next[unknown];
    }
    assert_eq!(unknown, end, "O1: a ring of all unknowns");
}

#[test]
fn recipe_agrees_with_all_completions() {
    let mut random = Random(1);
    let mut yes = 0;
    for round in 0..20_000 {
        let board = random_board(&mut random, round % 14);
        let expected = has_completion(&board);
        let mut copy = Board {
            cells: board.cells.clone(),
            ..board
        };
        assert_eq!(decide(&mut copy), expected, "{:?}", board.cells);
        yes += usize::from(expected);
    }
    assert!(
        yes > 5_000 && yes < 19_000,
        "boards of both answers: {}",
        yes
    );
}

#[test]
fn engine_agrees_without_enumeration() {
    let mut random = Random(2);
    for round in 0..20_000 {
        let board = random_board(&mut random, round % 14);
        let mut copy = Board {
            cells: board.cells.clone(),
            ..board
        };
        let found = scan(&board).map_or(false, |open| solve(&mut copy, &open));
        assert_eq!(found, has_completion(&board), "{:?}", board.cells);
    }
}

#[test]
fn search_agrees_without_presolve_and_keeps_its_invariants() {
    let mut random = Random(3);
    for round in 0..10_000 {
        let board = random_board(&mut random, round % 14);
        let open = match scan(&board) {
            Some(open) => open,
            None => continue,
        };
        let (mut system, _) = System::new(&board, &open);
        let mut numbers = vec![NONE; system.values.len()];
        let found = system.components().into_iter().all(|equations| {
            let mut search = Search::new(&system, &equations, &mut numbers);
            search.clause_limit = 1;
            // Nothing is forced before the first decision where the presolve did not run.
            let mut forced: Vec<Literal> = Vec::new();
            for equation in &search.equations {
                let terms = search.terms[equation.terms.clone()].iter();
                match equation.counters {
                    [_, 0] => forced.extend(terms.map(|&term| !term)),
                    [0, _] => forced.extend(terms),
                    _ => {}
                }
            }
            for literal in forced {
                match search.values[literal.index()] {
                    0 => search.assign(literal, Reason::Decision),
                    1 => {}
                    _ => return false,
                }
            }
            loop {
                let verdict = search.run(1);
                check_search(&search);
                if let Some(verdict) = verdict {
                    return verdict;
                }
                search.restart();
            }
        });
        assert_eq!(found, has_completion(&board), "{:?}", board.cells);
    }
}

#[test]
fn presolve_keeps_its_invariants() {
    let mut random = Random(4);
    for _ in 0..10_000 {
        let board = random_board(&mut random, 30);
        if let Some(open) = scan(&board) {
            let (mut system, _) = System::new(&board, &open);
            if system.presolve() {
                check_system(&system);
            }
        }
    }
}

#[test]
fn local_search_only_says_yes_and_keeps_its_lists() {
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..3_000 {
        let board = random_board(&mut random, 12);
        let open = scan(&board).unwrap_or_default();
        let (mut system, _) = System::new(&board, &open);
        for equations in system.components() {
            let mut numbers = vec![NONE; system.values.len()];
            let mut search = Search::new(&system, &equations, &mut numbers);
            let walk = Walk::new(&search);
            let listed = walk.excess.iter().filter(|&&excess| excess != 0).count();
            assert_eq!(listed, walk.violated.len(), "W2");
            if walk.improve(&mut search, FIRST_BUDGET).0 == Some(true) {
                found += 1;
                for equation in &search.equations {
                    let terms = search.terms[equation.terms.clone()].iter();
                    let met = terms.filter(|x| search.saved[x.unknown()] != x.is_opposite());
                    assert_eq!(met.count() as i32, equation.counters[NEED]);
                }
            }
        }
    }
    assert!(found > 1_000, "it found {} completions", found);
}

/// A reader that gives so many bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl<'a> Read for Pieces<'a> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn forms_are_read_alike_in_pieces_of_any_size() {
    let forms: [&[u8]; 4] = [
        b"3\n2 2\n**\n2?\n2 2\n*1\n3?\n2 2\n**\n21\n",
        b"\xEF\xBB\xBF3\r\n2 2\r\n**\r\n2?\r\n2 2\r\n*1\r\n3?\r\n2 2\r\n**\r\n21",
        b"3 2 2 * * 2 ? 2 2 * 1 3 ? 2 2 * * 2 1 \x1A",
        b"+3\n\n2\t2\n**2?\n2 2*13?\n2 2**21 and more",
    ];
    for form in &forms {
        for size in 1..form.len() {
            let mut output = Vec::new();
            let mut input = Pieces(form, size);
            assert!(answer(&mut Console::new(&mut input, &mut output)).is_ok());
            assert_eq!(output, b"YES\nNO\nNO\n");
        }
    }
}
