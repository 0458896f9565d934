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

/// A board of these cells, read, and so framed.
fn board(rows: usize, columns: usize, cells: &[u8]) -> Board {
    let mut text = format!("{} {} ", rows, columns).into_bytes();
    text.extend_from_slice(cells);
    let (mut board, mut output) = (Board::default(), Vec::new());
    let mut input = Pieces(&text, 7);
    let read = read_board(&mut Console::new(&mut input, &mut output), &mut board);
    assert!(read.is_ok());
    board
}

/// A true board with hidden cells, and perhaps a digit moved: near the edge between YES and NO.
fn random_board(random: &mut Random, unknowns: usize) -> Board {
    let (rows, columns) = (1 + random.below(6) as usize, 1 + random.below(6) as usize);
    let mut board = board(rows, columns, &vec![b'0'; rows * columns]);
    let inside: Vec<usize> = (0..board.cells.len())
        .filter(|&cell| is_digit(board.cells[cell]))
        .collect();
    let density = 1 + random.below(9);
    for &cell in &inside {
        if random.below(10) < density {
            board.cells[cell] = MINE;
        }
    }
    for &cell in &inside {
        if board.cells[cell] != MINE {
            let around = board.neighbours(cell);
            let count = around.iter().filter(|&&other| board.cells[other] == MINE);
            board.cells[cell] = b'0' + count.count() as u8;
        }
    }
    for _ in 0..unknowns {
        let cell = inside[random.below(inside.len() as u64) as usize];
        board.cells[cell] = UNKNOWN;
    }
    let cell = inside[random.below(inside.len() as u64) as usize];
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
                let mines = board
                    .neighbours(cell)
                    .into_iter()
                    .filter(|&other| cells[other] == MINE);
                mines.count() == usize::from(cells[cell] - b'0')
            })
    })
}

/// S1 of a system whose queue is empty (S2).
fn check_system(system: &mut System) {
    let cells = system.board.cells.clone();
    for cell in (0..cells.len()).filter(|&cell| cells[cell] == UNKNOWN) {
        let stands = system.same[cell].unknown();
        assert!(system.same[stands] == Literal::new(stands, false), "S1");
        let class = system.rouse(cell);
        assert!(class.contains(&stands), "S1: another class");
        let alike = |&other: &usize| system.same[other].unknown() == stands;
        assert!(class.iter().all(alike), "S1: a class of two");
        let members = (0..system.same.len()).filter(alike);
        assert_eq!(members.count(), class.len(), "S1: a class in two rings");
        assert_eq!(system.sizes[stands] as usize, class.len(), "S1: the size");
    }
}

/// L1 to L5 of a search.
fn check_search(search: &Search) {
    for (at, literal) in search.trail.iter().enumerate() {
        let unknown = literal.unknown();
        assert_eq!(search.values[unknown], Some(!literal.is_opposite()), "L1");
        assert_eq!(search.unknowns[unknown].place, at, "L1");
    }
    let settled = search.values.iter().flatten().count();
    assert_eq!(settled, search.trail.len(), "L1");
    assert_eq!(search.left.len(), 2 * search.rows.len(), "L2");
    for number in 0..search.rows.len() {
        let left = most_counted(search, 2 * number) - counted(search, 2 * number);
        assert_eq!(search.left[2 * number], left, "L2");
        assert!(
            search.left[2 * number + 1] == -1 || number < search.given,
            "L2"
        );
    }
    check_reasons(search);
    check_uses(search);
    check_ring(search);
}

/// How many literals a counter has counted.
fn counted(search: &Search, counter: usize) -> i32 {
    let row = search.rows[counter / 2].iter();
    let literals = row.map(|&literal| literal ^ (counter % 2 > 0));
    let trail = &search.trail[..search.head];
    literals.filter(|x| trail.contains(x)).count() as i32
}

/// How many literals a counter may count: not all of a clause; of an equation the two as many as
/// there are.
fn most_counted(search: &Search, counter: usize) -> i32 {
    let length = search.rows[counter / 2].len() as i32;
    if counter >= 2 * search.given {
        return length - 1;
    }
    let most = |counter: usize| search.left[counter] + counted(search, counter);
    assert_eq!(most(counter) + most(counter ^ 1), length, "L2");
    most(counter)
}

/// L3: the causes of a literal are true and stand before it: as many as its reason may count.
fn check_reasons(search: &Search) {
    for (at, &literal) in search.trail.iter().enumerate() {
        let unknown = &search.unknowns[literal.unknown()];
        assert_eq!(unknown.seen, unknown.level == 0, "only level 0 stays seen");
        // At level 0 reasons are not asked for, and clauses may have new numbers.
        if unknown.level == 0 || unknown.reason == NONE {
            continue;
        }
        let causes = search.causes(unknown.reason, at);
        for cause in &causes {
            assert!(search.trail[..at].contains(cause), "L3: no cause");
        }
        let (reason, row) = (unknown.reason as usize, unknown.reason as usize / 2);
        let opposite = literal ^ (reason % 2 == 0);
        assert!(search.rows[row].contains(&opposite), "L3: another row");
        // More of them are a conflict that has not been counted yet.
        let most = most_counted(search, reason) as usize;
        assert!(causes.len() >= most, "L3: a reason that forces nothing");
    }
}

/// L4: all counters are listed, those of clauses behind those of equations.
fn check_uses(search: &Search) {
    let listed: usize = search.uses.iter().map(Vec::len).sum();
    let literals = search.rows.iter().map(Vec::len);
    let given: usize = literals.clone().take(search.given).sum();
    assert_eq!(listed, given + literals.sum::<usize>(), "L4");
    for (literal, uses) in (0..).map(Literal).zip(&search.uses) {
        assert!(uses.windows(2).all(|pair| pair[0] <= pair[1]), "L4");
        for &counter in uses {
            let row = &search.rows[counter as usize / 2];
            assert!(row.contains(&(literal ^ (counter % 2 > 0))), "L4");
        }
    }
}

/// L5: the ring, and that all before `at` are settled.
fn check_ring(search: &Search) {
    let end = search.values.len();
    let (mut unknown, mut settled) = (search.next[end], search.at != search.next[end]);
    for _ in 0..end {
        assert_eq!(search.last[search.next[unknown]], unknown, "L5");
        settled &= unknown != search.at;
        assert!(!settled || search.values[unknown].is_some(), "L5");
        unknown = search.next[unknown];
    }
    assert_eq!(unknown, end, "L5: a ring of all unknowns");
}

/// M1 of a matching.
fn check_matching(matching: &Matching) {
    for (number, node) in (0..).zip(&matching.nodes) {
        if node.mate != NONE {
            let mate = &matching.nodes[node.mate as usize];
            assert_eq!(mate.mate, number, "M1: symmetric");
            let is_edge = node.around.contains(&node.mate) || node.twin == node.mate;
            assert!(is_edge || mate.twin == number, "M1: along edges");
        }
    }
}

/// M2 and M3 behind a search that has found no path and so has changed no mate.
fn check_paths(matching: &mut Matching, root: u32) {
    for outer in matching.queue.clone() {
        let (mut node, mut steps) = (outer, 0);
        while node != root {
            let mate = matching.nodes[node as usize].mate;
            node = matching.nodes[mate as usize].via;
            steps += 1;
            assert!(steps <= matching.nodes.len(), "M2: a path in circles");
            assert!(
                matching.nodes[node as usize].base != NONE,
                "M2: an outer node"
            );
        }
        let base = matching.find(outer);
        assert!(
            matching.nodes[base as usize].base == base,
            "M3: an outer base"
        );
    }
}

/// W1 and W2 of a walk, counted anew.
fn check_walk(walk: &Walk, search: &Search) {
    for number in 0..search.given {
        let terms = search.rows[number].iter();
        let met = terms.filter(|&&x| search.change(x) < 0).count();
        let excess = met as i32 - search.left[2 * number];
        assert_eq!(walk.excess[number], excess, "W1");
        let violated = walk.violated.iter();
        let listed = violated.filter(|&&other| other == number).count();
        assert_eq!(listed, usize::from(walk.listed[number]), "W2");
        assert!(excess == 0 || walk.listed[number], "W2");
    }
}

/// All searches in what is left of a system.
fn searches(system: &mut System, open: &[usize]) -> Vec<Search> {
    let searches = open.iter().map(|&start| Search::new(system, start));
    searches.filter(|search| search.given > 0).collect()
}

/// Makes true what the equations force before the first decision, which is nothing behind the
/// presolve; `false` at a contradiction.
fn settle_forced(search: &mut Search) -> bool {
    let full = (0..search.left.len()).filter(|&counter| search.left[counter] == 0);
    for counter in full.collect::<Vec<_>>() {
        for at in 0..search.rows[counter / 2].len() {
            let literal = search.rows[counter / 2][at] ^ (counter % 2 == 0);
            match search.values[literal.unknown()] {
                None => search.assign(literal, NONE),
                Some(value) if value == literal.is_opposite() => return false,
                Some(_) => {}
            }
        }
    }
    true
}

/// Decides the first open unknown, if there is one.
fn decide_one(search: &mut Search) -> bool {
    let unknown = search.first_open();
    if let Some(unknown) = unknown {
        search.levels.push(search.trail.len());
        let literal = Literal::new(unknown, !search.saved[unknown]);
        search.assign(literal, NONE);
    }
    unknown.is_some()
}

/// The saved values meet all given equations.
fn assert_solved(search: &Search) {
    for number in 0..search.given {
        let terms = search.rows[number].iter();
        let met = terms.filter(|x| search.saved[x.unknown()] != x.is_opposite());
        assert_eq!(met.count() as i32, most_counted(search, 2 * number));
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
        let mut board = random_board(&mut random, round % 14);
        let expected = has_completion(&board);
        let open = match scan(&board) {
            Some(open) => open,
            None => continue,
        };
        let mut system = System::new(&mut board, &open);
        let found = searches(&mut system, &open).into_iter().all(|mut search| {
            if !settle_forced(&mut search) {
                return false;
            }
            let mut budget = 0;
            loop {
                budget += 1;
                let verdict = search.run(budget);
                check_search(&search);
                if let Some(verdict) = verdict {
                    return verdict;
                }
                search.restart(0);
                // Some levels deep as well, where reasons have something to say.
                while search.propagate().is_none() && decide_one(&mut search) {
                    check_search(&search);
                }
                check_reasons(&search);
                search.back_to(0);
            }
        });
        assert_eq!(found, expected, "{:?}", open);
    }
}

/// Boards of 13×13 whose digits stand in a pattern: hundreds of conflicts, many levels deep.
#[test]
fn deep_searches_keep_their_invariants() {
    let mut random = Random(6);
    for _ in 0..6 {
        let mines: Vec<bool> = (0..16 * 14).map(|_| random.below(2) == 0).collect();
        let mut board = board(13, 13, &[UNKNOWN; 169]);
        let frame: Vec<bool> = board.cells.iter().map(|&cell| cell == SAFE).collect();
        let is_digit_here = |cell: usize| !frame[cell] && (cell / 14 + 2 * (cell % 14)) % 3 == 0;
        for cell in (0..frame.len()).filter(|&cell| is_digit_here(cell)) {
            let around = board
                .neighbours(cell)
                .into_iter()
                .filter(|&other| !frame[other] && !is_digit_here(other));
            let count = around.filter(|&other| mines[other]).count();
            board.cells[cell] = b'0' + count as u8;
        }
        let open = scan(&board).expect("the board is true");
        let mut system = System::new(&mut board, &open);
        assert!(system.presolve());
        for mut search in searches(&mut system, &open) {
            for _ in 0..3_000 {
                let conflict = search.propagate();
                check_search(&search);
                match conflict {
                    Some(_) if search.levels.is_empty() => panic!("the board is true"),
                    Some(conflict) => search.learn(conflict),
                    None if !decide_one(&mut search) => break,
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
        let mut board = random_board(&mut random, 30);
        if let Some(open) = scan(&board) {
            let mut system = System::new(&mut board, &open);
            if system.presolve() {
                check_system(&mut system);
            }
        }
    }
}

#[test]
fn matching_is_right_when_it_answers() {
    let mut random = Random(7);
    let mut answers = [0; 3];
    for round in 0..20_000 {
        let mut board = random_board(&mut random, round % 16);
        let expected = has_completion(&board);
        let open = scan(&board).unwrap_or_default();
        let mut system = System::new(&mut board, &open);
        let mut impossible = false;
        for mut search in searches(&mut system, &open) {
            let mut matching = Matching::new(&search);
            for node in 0..matching.nodes.len() as u32 {
                if matching.nodes[node as usize].mate == NONE {
                    if !matching.augment(node, &mut 1_000_000) {
                        check_paths(&mut matching, node);
                        break;
                    }
                    check_matching(&matching);
                }
            }
            // Looks that run out on the way give no answer, or the right one.
            let few = 1 + random.below(200) as usize;
            let early = Matching::new(&search).decide(&mut search, few);
            let verdict = Matching::new(&search).decide(&mut search, LOOKS * SPRINT);
            assert!(early.is_none() || early == verdict);
            if verdict == Some(true) {
                assert_solved(&search);
            }
            answers[verdict.map_or(2, usize::from)] += 1;
            impossible |= verdict == Some(false);
        }
        assert!(!(impossible && expected), "{:?}", open);
    }
    assert!(answers.iter().all(|&count| count > 100), "{:?}", answers);
}

#[test]
fn local_search_only_says_yes_and_keeps_its_lists() {
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..3_000 {
        let mut board = random_board(&mut random, 12);
        let open = scan(&board).unwrap_or_default();
        let mut system = System::new(&mut board, &open);
        for mut search in searches(&mut system, &open) {
            search.conflicts = SPRINT << random.below(2);
            let mut walk = Walk::new(&search);
            for _ in 0..20 {
                check_walk(&walk, &search);
                if !walk.violated.is_empty() {
                    walk.step(&mut search);
                }
            }
            if walk.improve(&mut search) == Some(true) {
                found += 1;
                assert_solved(&search);
            }
        }
    }
    assert!(found > 1_000, "it found {} completions", found);
}

#[test]
fn relaxation_refutes_only_what_has_no_solution() {
    let mut random = Random(9);
    let mut refuted = [0; 2];
    for round in 0..20_000 {
        let mut board = random_board(&mut random, round % 16);
        let expected = has_completion(&board);
        let open = scan(&board).unwrap_or_default();
        let mut system = System::new(&mut board, &open);
        for mut search in searches(&mut system, &open) {
            let plain = refute(&search, 100_000);
            // Clauses may cut off fractions, but no solution; whether they help is not asked here.
            let verdict = search.run(1).or_else(|| search.run(1));
            let cut = verdict.or_else(|| refute(&search, 100_000));
            assert!(plain != Some(true));
            assert!(plain.is_none() || verdict != Some(true));
            assert!(!(expected && (plain.or(cut) == Some(false))), "{:?}", open);
            refuted[0] += usize::from(plain.is_some());
            refuted[1] += usize::from(verdict.is_none() && cut.is_some());
        }
    }
    assert!(refuted[0] > 100 && refuted[1] > 10, "{:?}", refuted);
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
fn equal_unknowns_of_one_equation_count_twice() {
    let mut board = board(3, 3, b"1?1?2??2?");
    assert!(has_completion(&board));
    let open = scan(&board).expect("it has a completion");
    let mut system = System::new(&mut board, &open);
    assert!(system.presolve());
    check_system(&mut system);
    let mut board = self::board(3, 3, b"1?1?2??2?");
    assert!(solve(&mut board, &open));
}

/// A reader of one text, after which a pipe would stay open; it counts how often it is asked.
struct Held<'a>(&'a [u8], usize);

impl<'a> Read for Held<'a> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        self.0.read(buffer)
    }
}

/// Only a character that has been cut may have more to come.
#[test]
fn stray_bytes_are_refused_without_waiting() {
    let texts: [(&[u8], usize, &str); 6] = [
        (b"\x80", 1, "found the byte 0x80"),
        (b"\xFF", 1, "found the byte 0xFF"),
        (b"\xE2\x28", 1, "found the byte 0xE2"),
        (b"\xC3\xA9", 1, "found 'é'"),
        (b"\xE2\x80", 2, "found the byte 0xE2"),
        (b"\xF0\x9F\x98", 2, "found the byte 0xF0"),
    ];
    for &(text, asked, found) in &texts {
        let (mut input, mut output) = (Held(text, 0), Vec::new());
        let error = match answer(&mut Console::new(&mut input, &mut output)) {
            Ok(()) => panic!("{:?} is no number", text),
            Err(error) => error.to_string(),
        };
        assert!(error.ends_with(found), "{}", error);
        assert_eq!(input.1, asked, "{:?}", text);
    }
}
