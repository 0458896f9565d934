//! Inputs that nobody would write: the test data, mutated by bytes, lines and numbers.

use std::fs;
use std::path::{Path, PathBuf};

/// Longer test data and mutants are left to other scripts: short inputs find more an hour.
const LONGEST_SEED: usize = 6_000;
const LONGEST_MUTANT: usize = 60_000;

/// Mutations an input, at the most.
const MOST_MUTATIONS: usize = 8;

/// Pieces of text that are rarely right.
const TOKENS: [&[u8]; 50] = [
    b"0",
    b"1",
    b"-1",
    b"+1",
    b"+",
    b"-",
    b"--2",
    b"9",
    b"10",
    b"2147483648",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551616",
    b"1000000000 1000000000\n",
    b"999999999999999999999999999999",
    b"1e5",
    b"0x10",
    b"00000000000000000000001",
    b"\0",
    b"\x1A",
    b"\xFF",
    b"\xEF\xBB\xBF",
    b"\xE2\x80",
    b"\xE2",
    b"\xE2\x80\x98",
    b"\xE2\x80\x99E\xE2\x80\x98",
    b"\xC3\xA9",
    b"'",
    b"\"",
    b"\"E\"",
    b"'M'",
    b"\"X\"",
    b"[",
    b"]",
    b"[[",
    b"]]",
    b"{",
    b"}",
    b"{{1}}",
    b"[]",
    b",",
    b",,",
    b"arr[][] =",
    b"Input:",
    b"board =",
    b"Click :",
    b"*",
    b"?",
    b"\r",
    b"\n\n",
];

/// The alphabets from which text without any sense is made, one a program, and all bytes.
const ALPHABETS: [&[u8]; 3] = [
    b"0123456789 \n-+,{}[]ar=",
    b"0123456789*? \n",
    b"[]\"\"',EMB12345678X0 \n:=",
];

/// The generator is splitmix64 (Steele, Lea, Flood 2014): any state is good, so seed and number can
/// be mixed freely.
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64, number: u64) -> Self {
        let mut random = Random { state: seed };
        let start = random.next();
        random.state = start ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` - 1; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// A number of bytes: short ones are as likely as long ones.
    fn length(&mut self, most: usize) -> usize {
        let scale = 1 << self.below(17);
        self.below(most.min(scale) + 1)
    }

    /// A stretch of a text, as start and end.
    fn stretch(&mut self, text: &[u8]) -> (usize, usize) {
        let start = self.below(text.len() + 1);
        (start, start + self.length(text.len() - start))
    }
}

/// The inputs of the test data, by program.
pub struct Corpus {
    inputs: Vec<Vec<Vec<u8>>>,
}

impl Corpus {
    pub fn read(data: &Path, programs: &[&str]) -> Result<Corpus, String> {
        let read = |name: &&str| seeds(&data.join(name));
        let inputs = programs.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Corpus { inputs })
    }

    /// An input for a program, mutated or made up.
    pub fn mutant(&self, program: usize, random: &mut Random) -> Vec<u8> {
        let mut text = match random.below(40) {
            0 => nonsense(ALPHABETS[program], random),
            1 => (0..random.length(200)).map(|_| random.byte()).collect(),
            2 => return run_of_one(random),
            _ => self.some(program, random).to_vec(),
        };
        let mutations = 1 + random.below(MOST_MUTATIONS);
        for _ in 0..random.below(mutations + 1) {
            self.mutate(program, &mut text, random);
            text.truncate(LONGEST_MUTANT);
        }
        text
    }

    /// An input of the test data; now and then another program's.
    fn some(&self, program: usize, random: &mut Random) -> &[u8] {
        let program = if random.one_in(50) {
            random.below(self.inputs.len())
        } else {
            program
        };
        let inputs = &self.inputs[program];
        &inputs[random.below(inputs.len())]
    }

    /// One mutation, of bytes, lines or numbers.
    fn mutate(&self, program: usize, text: &mut Vec<u8>, random: &mut Random) {
        let (start, end) = random.stretch(text);
        match random.below(14) {
            0 | 1 => flip(text, random),
            2 => text.truncate(start),
            3 => drop(text.splice(start..end, None)),
            4 => {
                let piece = text[start..end].repeat(1 + random.length(6));
                drop(text.splice(start..start, piece));
            }
            5 => {
                let other = self.some(program, random);
                let (from, to) = random.stretch(other);
                drop(text.splice(start..end, other[from..to].iter().copied()));
            }
            6 => swap_line_ends(text),
            7 | 8 => {
                let token = TOKENS[random.below(TOKENS.len())];
                drop(text.splice(start..start, token.iter().copied()));
            }
            9 | 10 => renumber(text, random),
            11 => {
                let byte = ALPHABETS[program][random.below(ALPHABETS[program].len())];
                drop(text.splice(start..(start + 1).min(text.len()), Some(byte)));
            }
            _ => self.mutate_lines(program, text, random),
        }
    }

    /// Drops, repeats, swaps or splices whole lines.
    fn mutate_lines(&self, program: usize, text: &mut Vec<u8>, random: &mut Random) {
        let mut lines: Vec<Vec<u8>> = lines_of(text);
        let (one, two) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(4) {
            _ if lines.is_empty() => {}
            0 => drop(lines.remove(one)),
            1 => lines.insert(two, lines[one].clone()),
            2 => lines.swap(one, two),
            _ => {
                let others = lines_of(self.some(program, random));
                if let Some(line) = others.get(random.below(others.len())) {
                    lines.insert(one, line.clone());
                }
            }
        }
        *text = lines.concat();
    }
}

/// The inputs of a folder, in the order of their names, so that the same seed means the same inputs.
fn seeds(folder: &Path) -> Result<Vec<Vec<u8>>, String> {
    let tell = |why| format!("{}: {}", folder.display(), why);
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(tell)? {
        paths.push(entry.map_err(tell)?.path());
    }
    paths.retain(|path| {
        path.extension()
            .map_or(false, |extension| extension == "in")
    });
    paths.sort();
    let texts: Result<Vec<_>, _> = paths.iter().map(fs::read).collect();
    let mut texts = texts.map_err(tell)?;
    texts.retain(|text| text.len() <= LONGEST_SEED);
    if texts.is_empty() {
        return Err(format!("{}: nothing to mutate", folder.display()));
    }
    Ok(texts)
}

/// Lines with their ends.
fn lines_of(text: &[u8]) -> Vec<Vec<u8>> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.map(<[u8]>::to_vec).collect()
}

fn nonsense(alphabet: &[u8], random: &mut Random) -> Vec<u8> {
    (0..random.length(300))
        .map(|_| alphabet[random.below(alphabet.len())])
        .collect()
}

/// 200,000 times the same: brackets, quotes, digits, blanks.
fn run_of_one(random: &mut Random) -> Vec<u8> {
    let pieces: [&[u8]; 10] = [
        b"[",
        b"{",
        b"9",
        b" ",
        b"\n",
        b"\"",
        b"[[\"E\",",
        b"1 ",
        b"\xE2\x80\x98",
        b"a:",
    ];
    let piece = pieces[random.below(pieces.len())];
    piece.repeat(200_000 / piece.len())
}

/// Flips bits, or sets bytes, here and there.
fn flip(text: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(text.len());
        let set = random.one_in(2);
        if let Some(byte) = text.get_mut(at) {
            *byte = if set {
                random.byte()
            } else {
                *byte ^ (1 << random.below(8))
            };
        }
    }
}

/// LF becomes CRLF, or the other way round.
fn swap_line_ends(text: &mut Vec<u8>) {
    if text.contains(&b'\r') {
        text.retain(|&byte| byte != b'\r');
    } else {
        let byte_or_pair = |&byte: &u8| match byte {
            b'\n' => b"\r\n".to_vec(),
            other => vec![other],
        };
        *text = text.iter().flat_map(byte_or_pair).collect();
    }
}

/// Puts another number in the place of one; a header is among the first numbers.
fn renumber(text: &mut Vec<u8>, random: &mut Random) {
    let is_start =
        |at: usize| text[at].is_ascii_digit() && (at == 0 || !text[at - 1].is_ascii_digit());
    let starts: Vec<usize> = (0..text.len()).filter(|&at| is_start(at)).collect();
    let among = if random.one_in(2) {
        starts.len().min(3)
    } else {
        starts.len()
    };
    if let Some(&start) = starts.get(random.below(among)) {
        let digits = text[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let end = start + digits.count();
        let number = if random.one_in(3) {
            TOKENS[random.below(18)].to_vec()
        } else {
            random.below(12).to_string().into_bytes()
        };
        drop(text.splice(start..end, number));
    }
}
