//! The judge behind `check.sh`: runs programs over their test data and tells what it saw.
//!
//! *Usage*: `judge [--ours] [--color] [--pattern P] [--oracle EXE] [--passed N] [--failed N] DATA SCRATCH
//! PROGRAM=COMMAND...`; `DATA/PROGRAM/*.in` are the cases, SCRATCH is an empty folder for outputs.
//! A COMMAND that names a file is run as it is, any other one by `bash -c`. The environment gives
//! `TIME_LIMIT`, `MEMORY_LIMIT` and `VERBOSE`.
//!
//! *Exit status*: 0 all passed, 1 something failed, 2 usage. The last line is `N passed, N failed`,
//! with the checks that were made before (`--passed`, `--failed`) counted in.
//!
//! *Verdicts*, the first that applies: TLE, MLE, RE (a signal or another exit status than is due), WA
//! (the answer, byte for byte), RE (a word on standard error from a program of ours), AC.
//!
//! *For our own programs* (`--ours`) a case is passed only if the answer also comes, whole, through a
//! pipe that stays open, and if the oracle, where the case is small enough for it, answers the same;
//! usage texts, a closed output and a full disk are tried as well. For somebody else's program
//! another mine field that satisfies every clue is accepted, and `09-bad` cases are left out unless
//! a pattern picks them: no judge feeds them.

#![forbid(unsafe_code)]

mod cases;
mod field;
mod manners;
mod options;
mod supervise;
mod verdict;

use cases::{Case, Suite};
use options::Options;
use std::process::exit;
use std::time::Duration;
use verdict::{Report, Verdict};

fn main() {
    exit(match Options::read().and_then(|options| judge(&options)) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(message) => {
            eprintln!("judge: {}", message);
            2
        }
    })
}

/// Judges every suite and prints the summary; whether all was well.
fn judge(options: &Options) -> Result<bool, String> {
    let mut tally = Tally::new(options);
    for (program, command) in &options.suites {
        let suite = Suite::new(options, program, command);
        let (cases, defects) = suite.cases()?;
        for defect in &defects {
            tally.defect(defect);
        }
        let picked: Vec<&Case> = cases.iter().filter(|case| suite.picks(case)).collect();
        if picked.is_empty() && defects.is_empty() {
            tally.defect(&format!("{}: no case to run", suite.folder.display()));
        }
        tally.left_out += cases.iter().filter(|case| suite.leaves_out(case)).count();
        for case in picked {
            tally.count(&format!("{}/{}", program, case.name), &suite.judge(case)?);
        }
        if options.ours && options.pattern.is_none() {
            for (what, report) in manners::reports(&suite)? {
                tally.count(&format!("{}: {}", program, what), &report);
            }
        }
    }
    if tally.confirmed == [0, tally.confirmed[1].max(1)] && options.pattern.is_none() {
        tally.defect("the oracle has confirmed no answer");
    }
    tally.summary();
    Ok(tally.failed == 0)
}

/// What has been seen so far.
struct Tally<'a> {
    options: &'a Options,
    passed: usize,
    failed: usize,
    left_out: usize,
    /// Answers that the oracle has confirmed, and those too large for it.
    confirmed: [usize; 2],
    slowest: Option<(Duration, String)>,
    largest: Option<(u64, String)>,
}

impl<'a> Tally<'a> {
    fn new(options: &'a Options) -> Self {
        Tally {
            options,
            passed: options.passed,
            failed: options.failed,
            left_out: 0,
            confirmed: [0; 2],
            slowest: None,
            largest: None,
        }
    }

    /// The test data itself is wrong.
    fn defect(&mut self, what: &str) {
        self.failed += 1;
        println!("{} {}", self.painted("31", "BAD"), what);
    }

    fn count(&mut self, name: &str, report: &Report) {
        if report.passed() {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
        if let Some(confirmed) = report.confirmed {
            self.confirmed[if confirmed { 0 } else { 1 }] += 1;
        }
        self.slowest = self
            .slowest
            .take()
            .max(Some((report.time, name.to_string())));
        let peak = report.peak.map(|peak| (peak, name.to_string()));
        self.largest = self.largest.take().max(peak);
        let remarkable = !report.passed() || !report.finding.reason.is_empty();
        if remarkable || self.options.verbose {
            self.show(name, report);
        }
    }

    fn show(&self, name: &str, report: &Report) {
        let color = if report.passed() { "32" } else { "31" };
        let verdict = self.painted(color, report.finding.verdict.word());
        print!("{}  {}", verdict, name);
        if self.options.verbose {
            print!(
                "  {:.3} s  {}",
                report.time.as_secs_f64(),
                mebibytes(report.peak)
            );
        }
        if !report.finding.reason.is_empty() {
            print!(": {}", report.finding.reason);
        }
        println!();
        for line in &report.finding.details {
            println!("      {}", line);
        }
        if report.finding.verdict != Verdict::Ac {
            println!("      replay: {}", report.replay);
        }
    }

    fn summary(&self) {
        if self.left_out > 0 {
            println!(
                "malformed cases left out: {} (a pattern, even '*', picks them)",
                self.left_out
            );
        }
        if self.options.oracle.is_some() {
            let [confirmed, too_large] = self.confirmed;
            println!(
                "oracle: {} answers confirmed, {} cases too large for it",
                confirmed, too_large
            );
        }
        if let Some((time, name)) = &self.slowest {
            println!("slowest: {:.3} s, {}", time.as_secs_f64(), name);
        }
        match &self.largest {
            Some((peak, name)) => println!("largest memory: {}, {}", mebibytes(Some(*peak)), name),
            None => println!("largest memory: {}", mebibytes(None)),
        }
        let color = if self.failed == 0 { "32" } else { "31" };
        let counts = format!("{} passed, {} failed", self.passed, self.failed);
        println!("{}", self.painted(color, &counts));
    }

    fn painted(&self, color: &str, text: &str) -> String {
        if self.options.color {
            format!("\x1b[{}m{}\x1b[0m", color, text)
        } else {
            text.to_string()
        }
    }
}

/// A program that is gone before the first look has no figure; nor has any without `/proc`.
fn mebibytes(kib: Option<u64>) -> String {
    match kib {
        Some(kib) => format!("{}.{} MiB", kib / 1024, kib % 1024 * 10 / 1024),
        None => "not measured".to_string(),
    }
}
