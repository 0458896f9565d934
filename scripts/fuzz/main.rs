//! The loop behind `fuzz.sh`: feeds mutated test data to the programs and watches what they do.
//!
//! *Usage*: `fuzz SECONDS SEED DATA FOLDER [PROGRAM]`: the programs are `FOLDER/clues` and so on, failing inputs
//! are saved there; `DATA/PROGRAM/*.in` are what is mutated. Limits of memory and stack are those
//! that the caller has set.
//!
//! *Method*: input number i is made from SEED and i alone, so a run with the same seed meets the same
//! inputs in the same order, however many threads share them. Each goes to a process of its own.
//! For short inputs the oracle is asked too. Of each kind of failure the shortest input seen is
//! shrunk at the end (pieces are left out while it still fails so) and saved.
//!
//! *Failures*: a status other than 0 and 1; a run of more than `SLOW`; on status 0 a word on standard
//! error; on status 1 anything but one line `PROGRAM: line L, column C: ...` that points into the
//! input; output beside an error that is not answers already due; an answer that is not the
//! oracle's; accepting what the oracle cannot read, or the other way round.
//!
//! *Exit status*: 0 nothing found, 1 something found, 2 usage. The last line counts the inputs.

#![forbid(unsafe_code)]

mod mutate;
mod observe;

use mutate::{Corpus, Random};
use observe::{Observed, Program};
use std::env;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

const PROGRAMS: [&str; 3] = ["clues", "complete", "reveal"];

/// Processes at a time: all share the caller's memory limit in the driver's own address space.
const MOST_THREADS: usize = 8;

/// The shrinking of one input ends after so many runs or so much time.
const SHRINKING_RUNS: usize = 2000;
const SHRINKING_TIME: Duration = Duration::from_secs(20);

fn main() {
    exit(match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(message) => {
            eprintln!("fuzz: {}", message);
            2
        }
    })
}

/// Fuzzes for the given time and tells what was found; whether that is nothing.
fn run(arguments: &[String]) -> Result<bool, String> {
    let (seconds, seed, data, folder, only) = match arguments {
        [seconds, seed, data, folder] => (seconds, seed, data, folder, None),
        [seconds, seed, data, folder, only] => (seconds, seed, data, folder, Some(only)),
        _ => return Err("run me by fuzz.sh".to_string()),
    };
    let number = |text: &String| text.parse().map_err(|_| format!("no number: {}", text));
    let end = Instant::now() + Duration::from_secs(number(seconds)?);
    let folder = PathBuf::from(folder);
    let programs: Vec<Program> = PROGRAMS
        .iter()
        .map(|name| Program::new(name, &folder))
        .collect();
    let corpus = Corpus::read(Path::new(data), &PROGRAMS)?;
    let mut chosen: Vec<usize> = (0..PROGRAMS.len()).collect();
    chosen.retain(|&program| only.map_or(true, |only| only == PROGRAMS[program]));
    let hunt = Hunt {
        chosen,
        seed: number(seed)?,
        end,
        next: AtomicU64::new(0),
        corpus,
        programs,
        found: Mutex::new(Found::default()),
    };
    // A panic of the oracle is a finding like any other; its message would only disturb.
    panic::set_hook(Box::new(|_| {}));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism()
            .map_or(1, |n| n.get())
            .min(MOST_THREADS)
        {
            scope.spawn(|| hunt.go());
        }
    });
    hunt.report(&folder)
}

/// What all threads share.
struct Hunt {
    seed: u64,
    end: Instant,
    /// The number of the next input.
    next: AtomicU64,
    corpus: Corpus,
    programs: Vec<Program>,
    /// The programs that are tried, as places in `programs`.
    chosen: Vec<usize>,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    /// By program: inputs tried, accepted, and held against the oracle.
    counts: [[u64; 3]; PROGRAMS.len()],
    failures: Vec<Failure>,
    /// How often any of the failures was seen.
    seen: u64,
}

/// The shortest input of its kind.
struct Failure {
    program: usize,
    kind: &'static str,
    number: u64,
    input: Vec<u8>,
}

impl Hunt {
    /// Takes inputs until the time is over.
    fn go(&self) {
        while Instant::now() < self.end {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let (program, input) = self.input(number);
            let observed = self.programs[program].observe(&input);
            self.note(program, number, input, &observed);
        }
    }

    /// The program and the bytes that belong to a number.
    fn input(&self, number: u64) -> (usize, Vec<u8>) {
        let mut random = Random::new(self.seed, number);
        let program = self.chosen[random.below(self.chosen.len())];
        (program, self.corpus.mutant(program, &mut random))
    }

    fn note(&self, program: usize, number: u64, input: Vec<u8>, observed: &Observed) {
        let mut found = match self.found.lock() {
            Ok(found) => found,
            Err(poisoned) => poisoned.into_inner(),
        };
        let counts = &mut found.counts[program];
        counts[0] += 1;
        counts[1] += u64::from(observed.accepted);
        counts[2] += u64::from(observed.confirmed);
        let kind = match observed.failure {
            Some(kind) => kind,
            None => return,
        };
        found.seen += 1;
        let known = |failure: &&mut Failure| failure.program == program && failure.kind == kind;
        match found.failures.iter_mut().find(known) {
            Some(failure) if failure.input.len() <= input.len() => {}
            Some(failure) => {
                failure.number = number;
                failure.input = input;
            }
            None => found.failures.push(Failure {
                program,
                kind,
                number,
                input,
            }),
        }
    }

    /// Prints the counts, and each kind of failure with a saved input and the way to see it again.
    fn report(&self, folder: &Path) -> Result<bool, String> {
        let found = match self.found.lock() {
            Ok(found) => found,
            Err(poisoned) => poisoned.into_inner(),
        };
        for failure in &found.failures {
            self.show(failure, folder)?;
        }
        for &program in &self.chosen {
            let [tried, accepted, confirmed] = found.counts[program];
            println!(
                "{}: {} inputs, {} accepted, {} refused, {} held against the oracle",
                PROGRAMS[program],
                tried,
                accepted,
                tried - accepted,
                confirmed
            );
        }
        let tried: u64 = found.counts.iter().map(|counts| counts[0]).sum();
        let kinds = found.failures.len();
        println!(
            "seed {}: {} inputs tried, {} failures of {} kinds",
            self.seed, tried, found.seen, kinds
        );
        Ok(tried > 0 && kinds == 0)
    }

    fn show(&self, failure: &Failure, folder: &Path) -> Result<(), String> {
        let program = &self.programs[failure.program];
        let input = shrink(program, failure);
        let kind = failure.kind.replace(' ', "-");
        let name = format!(
            "{}-{}-{}-{}.in",
            program.name, kind, self.seed, failure.number
        );
        let file = folder.join(name);
        fs::write(&file, &input).map_err(|why| format!("{}: {}", file.display(), why))?;
        println!(
            "FAILED {}: {} ({} bytes)",
            program.name,
            failure.kind,
            input.len()
        );
        println!("      {}", program.observe(&input).detail);
        println!(
            "      replay: (ulimit -v $((400 * 1024)); ulimit -s 1024; {} < {})",
            program.path.display(),
            file.display()
        );
        Ok(())
    }
}

/// Leaves out pieces, from halves down to single bytes, as long as the failure stays the same.
fn shrink(program: &Program, failure: &Failure) -> Vec<u8> {
    let mut input = failure.input.clone();
    let end = Instant::now() + SHRINKING_TIME;
    let mut runs = 0;
    let mut piece = input.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < input.len() && runs < SHRINKING_RUNS && Instant::now() < end {
            let mut shorter = input[..at].to_vec();
            shorter.extend(input.iter().skip(at + piece));
            runs += 1;
            if program.observe(&shorter).failure == Some(failure.kind) {
                input = shorter;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    input
}
