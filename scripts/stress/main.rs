//! The driver behind `stress.sh`: random boards against the oracle, a solver and planted answers, and, on a
//! disagreement, the smallest board on which they still disagree.
//!
//! *Usage*: see `stress.sh`. `stress PROGRAM COMMAND COUNT SEED SIDE FAMILY STRICT SOLVER SCRATCH SAVE`; FAMILY is how
//! the names of the families begin, STRICT 1 for this project's own programs (the first mine field, nothing on
//! standard error), SOLVER minisat, cadical or none, SCRATCH a folder for files in between, SAVE the folder for a
//! board that fails.
//!
//! *Method*: board i is drawn from the seed SEED + i alone, so any board can be asked again by itself. Many tests
//! of `complete` go into one run. `answers.rs` says what is right, `families.rs` and `hard.rs` draw, `shrink.rs` shrinks.
//!
//! *Exit status*: 0 no disagreement, 1 a disagreement or nothing was checked, 2 usage.

#![forbid(unsafe_code)]

mod answers;
mod families;
#[allow(dead_code)] // its own main and its command line
#[path = "../generate.rs"]
mod generate;
mod hard;
#[allow(dead_code)] // its own main and its command line
#[path = "../oracle.rs"]
mod oracle;
mod run;
mod shrink;
mod solver;

use answers::{Judge, Verdict};
use families::{Family, Program, Question, Test};
use run::Runner;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Tests of `complete` in one run of it.
const BATCH: u64 = 100;

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

/// Boards of a family: how many, of those nothing could check how many, and of `complete` with a completion.
#[derive(Default)]
struct Tally {
    all: u64,
    unknown: u64,
    yes: u64,
}

struct Stress {
    program: Program,
    count: u64,
    seed: u64,
    side: usize,
    /// How the names of the chosen families begin, and those families: at least one.
    family: String,
    families: Vec<Family>,
    /// A program of ours, which reads more forms of the input than a judge has.
    strict: bool,
    save: String,
    runner: Runner,
    judge: Judge,
    tally: BTreeMap<&'static str, Tally>,
    told: Instant,
}

impl Stress {
    fn new(arguments: &[String]) -> Option<Self> {
        let arguments: &[String; 10] = arguments.try_into().ok()?;
        let [program, command, count, seed, side, family, strict, solver, scratch, save] =
            arguments;
        let strict = strict == "1";
        Some(Stress {
            program: Program::named(program)?,
            count: count.parse().ok()?,
            seed: seed.parse().ok()?,
            side: side.parse().ok().filter(|&side| side >= 1)?,
            family: family.clone(),
            families: families(Program::named(program)?, family)?,
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
            let seeds = seeds.map(|test| self.seed.wrapping_add(test));
            let tests = seeds.map(|seed| Test::draw(&self.families, seed, self.side));
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
            let tally = self.tally.entry(test.family).or_default();
            tally.all += 1;
            if let Verdict::Right { unknown, yes } = verdict {
                tally.unknown += u64::from(unknown.contains(&index));
                tally.yes += u64::from(yes.contains(&index));
            }
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
                "unshrunk ({}): ./scripts/stress.sh {} '{}' --count 1 --seed {} --side {} --family '{}'",
                question.tests[0].family, name, command, seed, self.side, self.family
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
        for (family, tally) in &self.tally {
            let mut notes = String::new();
            if self.program == Program::Complete {
                notes += &format!(": {} YES", tally.yes);
            }
            if tally.unknown > 0 {
                notes += &format!(" ({} beyond every check)", tally.unknown);
            }
            println!("{:>9} {}{}", tally.all, family, notes);
            boards += tally.all;
            unchecked += tally.unknown;
        }
        let solver = &self.judge.solver;
        let solved = match solver.decided.get() {
            0 => String::new(),
            boards => format!(" ({} by {})", boards, solver.name),
        };
        println!(
            "stress {}: {} boards from seed {}, {} checked{}, no disagreement",
            self.program.name(),
            boards,
            self.seed,
            boards - unchecked,
            solved
        );
        boards > unchecked
    }
}

/// The families of a program that begin with this name; if there is none, tells which there are.
fn families(program: Program, name: &str) -> Option<Vec<Family>> {
    let chosen = program.families(name);
    if chosen.is_empty() {
        eprintln!(
            "stress: no family of {} begins with '{}', but:",
            program.name(),
            name
        );
        for (family, _, _) in program.families("") {
            eprintln!("  {}", family);
        }
    }
    Some(chosen).filter(|chosen| !chosen.is_empty())
}
