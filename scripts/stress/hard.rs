//! Families of boards for `complete` that are built to be hard, in sizes that a solver still decides.
//!
//! Each draws from kinds of `generate.sh hard`, which tells why they are hard, at a size where both answers are about
//! as likely: what has a completion lacks it by one square, bridge or digit, and the other way round.

use crate::families::{Drawn, Family};
use crate::generate::*;
use std::ops::Range;

pub const HARD: [Family; 12] = [
    ("hard: mutilated boards", 2, mutilated_boards),
    ("hard: dumbbells", 2, dumbbells),
    ("hard: hybrids", 2, hybrids),
    ("hard: tilings", 2, tilings),
    ("hard: matchings", 2, matchings),
    ("hard: degrees", 2, factors),
    ("hard: parity", 2, parities),
    ("hard: threes", 2, all_threes),
    ("hard: strips", 2, long_strips),
    ("hard: lattices", 2, lattices),
    ("hard: patterns", 2, patterns),
    ("hard: planted mines", 2, hidden_mines),
];

/// What `generate.sh hard` makes of a size.
type Maker = fn(usize, &mut Random) -> Board;

/// A board of one of the kinds, its size in the range, then one of these counts of digits moved by one.
fn one_of(kinds: &[Maker], sizes: Range<usize>, moves: &[usize], random: &mut Random) -> Drawn {
    let make = kinds[random.below(kinds.len())];
    let size = sizes.start + random.below(sizes.len());
    let mut board = make(size, random);
    let moved = moves[random.below(moves.len())];
    spoil(&mut board, moved, b'8', random);
    (board, None)
}

fn mutilated_boards(random: &mut Random, _: usize) -> Drawn {
    let kinds: [Maker; 4] = [two_out, two_out, two_out, mutilated];
    one_of(&kinds, 2..9, &[0], random)
}

fn dumbbells(random: &mut Random, _: usize) -> Drawn {
    one_of(&[dumbbell, bridged], 4..9, &[0], random)
}

fn hybrids(random: &mut Random, _: usize) -> Drawn {
    one_of(&[hybrid, bridged_hybrid], 4..9, &[0], random)
}

/// Two digits moved leave a tiling, or none, or what is none any more; one would be seen by the sum.
fn tilings(random: &mut Random, _: usize) -> Drawn {
    one_of(&[holed], 3..10, &[0, 2, 2], random)
}

fn matchings(random: &mut Random, _: usize) -> Drawn {
    one_of(&[odd_matching], 3..11, &[0], random)
}

fn factors(random: &mut Random, _: usize) -> Drawn {
    one_of(&[degrees], 3..11, &[0, 2], random)
}

/// Two faults may mend each other.
fn parities(random: &mut Random, _: usize) -> Drawn {
    one_of(&[parity, even_parity], 3..7, &[0, 0, 1], random)
}

fn all_threes(random: &mut Random, _: usize) -> Drawn {
    let kinds: [Maker; 3] = [threes, even_threes, even_threes];
    one_of(&kinds, 3..6, &[0, 2, 2], random)
}

fn long_strips(random: &mut Random, _: usize) -> Drawn {
    one_of(&[strip, even_strip], 3..20, &[0, 0, 1], random)
}

fn lattices(random: &mut Random, _: usize) -> Drawn {
    one_of(&[lattice], 3..9, &[0, 1, 6, 6], random)
}

fn patterns(random: &mut Random, _: usize) -> Drawn {
    let kinds: [Maker; 3] = [pattern_a, pattern_c, pattern_d];
    one_of(&kinds, 5..15, &[0, 2, 4], random)
}

fn hidden_mines(random: &mut Random, _: usize) -> Drawn {
    one_of(&[planted_mines], 5..13, &[0, 1, 2], random)
}
