//! The driver behind `stress.sh`: random boards against the oracle, a solver and planted answers, and, on a
//! disagreement, the smallest board on which they still disagree.
//!
//! *Usage*: see `stress.sh`. `stress PROGRAM COMMAND COUNT SEED SIDE STRICT SOLVER SCRATCH SAVE`; STRICT is 1 for
//! this project's own programs (the first mine field, nothing on standard error), SOLVER is minisat, cadical
//! or none, SCRATCH a folder for files in between, SAVE the folder for a board that fails.
//!
//! *Method*: board i is drawn from the seed SEED + i alone, so any board can be asked again by itself. Many tests
//! of `complete` go into one run. `answers.rs` says what is right, `families.rs` draws, `shrink.rs` shrinks.
//!
//! *Exit status*: 0 no disagreement, 1 a disagreement or nothing was checked, 2 usage.

#![forbid(unsafe_code)]

mod answers;
mod families;
#[allow(dead_code)] // its own main and its command line
#[path = "../generate.rs"]
mod generate;
#[allow(dead_code)] // its own main and its command line
#[path = "../oracle.rs"]
mod oracle;
mod run;
mod shrink;
mod solver;

use answers::{Judge, Verdict};
use families::{Program, Question, Test};
use run::Runner;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Tests of `complete` in one run of it.
const BATCH: u64 = 250;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let status = match Stress::new(&arguments) {
        Some(mut stress) => i32::from(!stress.run()),
        None => {
            eprintln!("stress: see stress.sh -h");
            2
        }
    };
    std::process::exit(status)
}

struct Stress {
    program: Program,
    count: u64,
    seed: u64,
    side: usize,
    /// A program of ours, which reads more forms of the input than a judge has.
    strict: bool,
    save: String,
    runner: Runner,
    judge: Judge,
    /// Boards by family: how many, and how many of those nothing could check.
    tally: BTreeMap<&'static str, [u64; 2]>,
    told: Instant,
}

impl Stress {
    fn new(arguments: &[String]) -> Option<Self> {
        let (program, command, count, seed, side, strict, solver, scratch, save) = match arguments {
            [a, b, c, d, e, f, g, h, i] => (a, b, c, d, e, f, g, h, i),
            _ => return None,
        };
        let strict = strict == "1";
        Some(Stress {
            program: Program::named(program)?,
            count: count.parse().ok()?,
            seed: seed.parse().ok()?,
            side: side.parse().ok().filter(|&side| side >= 1)?,
            strict,
            save: save.clone(),
            runner: Runner::new(program, command, strict, scratch),
            judge: Judge::new(strict, solver, scratch),
            tally: BTreeMap::new(),
            told: Instant::now(),
        })
    }

    /// Asks all boards; whether all was well.
    fn run(&mut self) -> bool {
        let batch = if self.program == Program::Complete {
            BATCH
        } else {
            1
        };
        for first in (0..self.count).step_by(batch as usize) {
            let seeds = first..self.count.min(first + batch);
            let tests =
                seeds.map(|test| self.program.draw(self.seed.wrapping_add(test), self.side));
            let question = self.question(tests.collect());
            let verdict = self.ask(&question);
            self.count(&question, &verdict);
            if let Verdict::Wrong { .. } = verdict {
                self.report(question);
                return false;
            }
            self.progress(first + batch);
        }
        self.summary()
    }

    fn question(&self, tests: Vec<Test>) -> Question {
        let mut question = Question::new(self.program, tests);
        question.layout *= usize::from(self.strict);
        question
    }

    fn ask(&self, question: &Question) -> Verdict {
        match self.runner.run(&question.text()) {
            Ok(answer) => self.judge.verdict(question, &answer),
            Err(what) => Verdict::Wrong {
                expected: String::from("an answer"),
                got: what,
            },
        }
    }

    fn count(&mut self, question: &Question, verdict: &Verdict) {
        for (index, test) in question.tests.iter().enumerate() {
            let unknown = matches!(verdict, Verdict::Right { unknown } if unknown.contains(&index));
            let tally = self.tally.entry(test.family).or_default();
            tally[0] += 1;
            tally[1] += u64::from(unknown);
        }
    }

    /// Shrinks the question, shows it and saves it.
    fn report(&mut self, question: Question) {
        eprintln!("\nA disagreement; shrinking it ...");
        let alone = self.alone(&question);
        let start = alone.clone().unwrap_or(question);
        let question = shrink::shrink(start, |question| self.is_wrong(question));
        println!("{}", question.text());
        if let Verdict::Wrong { expected, got } = self.ask(&question) {
            println!(
                "expected:\n{}\ngot:\n{}\n",
                expected.trim_end(),
                got.trim_end()
            );
        }
        let (name, command) = (self.program.name(), &self.runner.command);
        let seed = question.tests[0].seed;
        let saved = format!("{}/{}-{}.in", self.save, name, seed);
        match fs::write(&saved, question.text()) {
            Ok(()) => println!("saved: {}\nreplay: {} < {}", saved, command, saved),
            Err(error) => println!("cannot save {}: {}", saved, error),
        }
        match alone {
            Some(_) => println!(
                "unshrunk ({}): ./scripts/stress.sh {} '{}' --count 1 --seed {} --side {}",
                question.tests[0].family, name, command, seed, self.side
            ),
            None => println!("no single test fails: something leaks from one test into the next"),
        }
    }

    /// The first test that fails by itself.
    fn alone(&self, question: &Question) -> Option<Question> {
        let tests = question.tests.iter();
        let mut questions = tests.map(|test| self.question(vec![test.clone()]));
        questions.find(|question| self.is_wrong(question))
    }

    fn is_wrong(&self, question: &Question) -> bool {
        matches!(self.ask(question), Verdict::Wrong { .. })
    }

    /// On a terminal, which `stress.sh` knows, how far it is.
    fn progress(&mut self, done: u64) {
        if std::env::var_os("PROGRESS").is_some()
            && self.told.elapsed() > Duration::from_millis(500)
        {
            self.told = Instant::now();
            eprint!("\r{} of {} ", done.min(self.count), self.count);
            let _ = io::stderr().flush();
        }
    }

    fn summary(&self) -> bool {
        let (mut boards, mut unchecked) = (0, 0);
        for (family, [all, unknown]) in &self.tally {
            println!(
                "{:>9} {}{}",
                all,
                family,
                match unknown {
                    0 => String::new(),
                    _ => format!(" ({} beyond every check)", unknown),
                }
            );
            boards += all;
            unchecked += unknown;
        }
        println!(
            "stress {}: {} boards from seed {}, {} checked, no disagreement",
            self.program.name(),
            boards,
            self.seed,
            boards - unchecked
        );
        boards > unchecked
    }
}
