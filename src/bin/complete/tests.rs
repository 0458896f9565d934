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

/// L1 to L4, O1 and O2 of a search; L4 where all of the trail is propagated.
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
    check_reasons(search);
    check_watches(search);
    let mut unknown = search.order.next[end];
    while unknown != search.order.at {
        assert!(
            search.values[2 * unknown] != 0,
            "O2: an open unknown before at"
        );
        unknown = search.order.next[unknown];
    }
}

/// L3: the causes of a literal are true and stand before it. Of an equation they are as many true
/// terms as it may have, or as many false ones; of a clause, all its other literals.
fn check_reasons(search: &Search) {
    for &literal in &search.trail {
        // At level 0 reasons are not asked for, and clauses may have new numbers.
        if search.level[literal.unknown()] == 0 {
            continue;
        }
        let reason = search.reason[literal.unknown()];
        let causes = search.causes(reason, Some(literal));
        for cause in &causes {
            assert_eq!(
                search.values[cause.index()],
                1,
                "L3: a cause that is not true"
            );
            let (before, after) = (
                search.place[cause.unknown()],
                search.place[literal.unknown()],
            );
            assert!(before < after, "L3: a cause behind its effect");
        }
        let expected = match reason {
            Reason::Decision => 0,
            Reason::Clause(number) => {
                let clause = &search.clauses[number as usize];
                assert!(clause.contains(&literal), "L3: a clause of others");
                clause.len() - 1
            }
            Reason::Equation(number) => {
                let equation = &search.equations[number as usize];
                let terms = &search.terms[equation.terms.clone()];
                let counted = &search.trail[..search.head];
                let met = terms.iter().filter(|term| counted.contains(term)).count();
                let total = (met as i32 + equation.counters[NEED]) as usize;
                if terms.contains(&literal) {
                    terms.len() - total
                } else {
                    total
                }
            }
        };
        // More of them are a conflict that has not been counted yet.
        assert!(causes.len() >= expected, "L3: a reason that forces nothing");
    }
}

/// L4, and that every clause is watched by its first two literals and no others.
fn check_watches(search: &Search) {
    let listed: usize = search.watches.iter().map(Vec::len).sum();
    assert_eq!(listed, 2 * search.clauses.len(), "L4: watches");
    for (number, clause) in search.clauses.iter().enumerate() {
        for at in 0..2 {
            let watches = &search.watches[(!clause[at]).index()];
            assert!(
                watches.contains(&(number as u32)),
                "L4: an unwatched literal"
            );
            let (watched, other) = (clause[at], clause[1 - at]);
            if search.head == search.trail.len() && search.values[watched.index()] < 0 {
                assert!(search.values[other.index()] > 0, "L4: a false watch alone");
                let level = |literal: Literal| search.level[literal.unknown()];
                assert!(
                    level(other) <= level(watched),
                    "L4: a true watch that opens first"
                );
            }
        }
    }
}

/// W1 and W2 of a walk, counted anew.
fn check_walk(walk: &Walk, search: &Search) {
    for (number, equation) in search.equations.iter().enumerate() {
        let terms = search.terms[equation.terms.clone()].iter();
        let total = equation.counters[NEED];
        let excess = terms.filter(|&&x| walk.is_true(x)).count() as i32 - total;
        assert_eq!(walk.excess[number], excess, "W1");
        let listed = walk
            .violated
            .iter()
            .filter(|&&other| other as usize == number)
            .count();
        assert_eq!(listed, usize::from(excess != 0), "W2");
        if excess != 0 {
            assert_eq!(
                walk.violated[walk.spot[number] as usize] as usize, number,
                "W2"
            );
        }
    }
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
                // Some levels deep as well, where reasons and watches have something to say.
                while search.propagate().is_none() && search.decide().is_some() {
                    check_search(&search);
                }
                check_reasons(&search);
                search.back_to(0);
            }
        });
        assert_eq!(found, has_completion(&board), "{:?}", board.cells);
    }
}

/// Boards of 13×13 whose digits stand in a pattern: hundreds of conflicts, many levels deep.
#[test]
fn deep_searches_keep_their_invariants() {
    let mut random = Random(6);
    for _ in 0..6 {
        let mines: Vec<bool> = (0..169).map(|_| random.below(2) == 0).collect();
        let mut board = Board {
            rows: 13,
            columns: 13,
            cells: vec![UNKNOWN; 169],
        };
        let is_digit_here = |cell: usize| (cell / 13 + 2 * (cell % 13)) % 3 == 0;
        for cell in (0..169).filter(|&cell| is_digit_here(cell)) {
            let around = board
                .neighbours(cell)
                .filter(|&other| !is_digit_here(other));
            let count = around.filter(|&other| mines[other]).count();
            board.cells[cell] = b'0' + count as u8;
        }
        let open = scan(&board).expect("the board is true");
        let (mut system, _) = System::new(&board, &open);
        assert!(system.presolve());
        let mut numbers = vec![NONE; system.values.len()];
        for equations in system.components() {
            let mut search = Search::new(&system, &equations, &mut numbers);
            for _ in 0..3_000 {
                let conflict = search.propagate();
                check_search(&search);
                match conflict {
                    Some(_) if search.levels.is_empty() => panic!("the board is true"),
                    Some(conflict) => search.learn(conflict),
                    None if search.decide().is_none() => break,
                    None => {}
                }
            }
        }
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
            let mut walk = Walk::new(&search);
            for _ in 0..20 {
                check_walk(&walk, &search);
                if !walk.violated.is_empty() {
                    walk.step(&search);
                }
            }
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

/// Found among random boards: two unknowns become equal that stand in one equation.
#[test]
fn equal_unknowns_of_one_equation_stay_two() {
    let mut board = Board {
        rows: 3,
        columns: 3,
        cells: b"1?1?2??2?".to_vec(),
    };
    assert!(has_completion(&board));
    let open = scan(&board).expect("it has a completion");
    let (mut system, _) = System::new(&board, &open);
    assert!(system.presolve());
    check_system(&system);
    assert!(solve(&mut board, &open));
}
