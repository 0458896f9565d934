//! How our own programs behave outside of any case: usage texts, answers in the middle of a
//! conversation, a reader that has gone away, a full disk.

use crate::cases::Suite;
use crate::supervise::{End, Plumbing, Run};
use crate::verdict::{ended, Finding, Report, Verdict};
use std::path::Path;

/// Where every write fails for want of room; absent outside of Linux.
const FULL: &str = "/dev/full";

/// The signal that ends a writer without a reader.
const SIGPIPE: i32 = 13;

/// A length of output that never comes: the input stays open to the end.
const NEVER: u64 = u64::MAX;

/// What is typed, and what must be answered before more is typed.
fn conversation(program: &str) -> &'static [(&'static str, &'static str)] {
    match program {
        "clues" => &[("2 1\n1\n1\n", "x\n_\n")],
        "complete" => &[("2\n1 2\n?1\n", "YES\n"), ("1 1\n1\n", "NO\n")],
        _ => &[("[[\"E\",\"E\"]]\n[0,1]\n", "[[\"B\",\"B\"]]\n")],
    }
}

/// A report for each of them, with its name.
pub fn reports(suite: &Suite) -> Result<Vec<(&'static str, Report)>, String> {
    let mut reports = vec![
        ("usage on -h and --help", help(suite)?),
        ("usage on any other argument", refusal(suite)?),
        ("answers before the input ends", talk(suite)?),
        ("a reader that has gone away", unread(suite)?),
    ];
    if Path::new(FULL).exists() {
        reports.push(("a full disk", full_disk(suite)?));
    } else {
        println!("{}: there is no {}, not tried", suite.program, FULL);
    }
    Ok(reports)
}

/// `-h` and `--help` print the same text on standard output, and read nothing.
fn help(suite: &Suite) -> Result<Report, String> {
    let short = run_with(suite, &["-h"], Plumbing::Held(vec![(Vec::new(), NEVER)]))?;
    let long = run_with(
        suite,
        &["--help"],
        Plumbing::Held(vec![(Vec::new(), NEVER)]),
    )?;
    let mut finding = exited(suite, &short, 0);
    if finding.passed() {
        finding = exited(suite, &long, 0);
    }
    if finding.passed() && (short.output.is_empty() || short.output != long.output) {
        let what = "-h is silent, or --help";
        finding = Finding::differs(Verdict::Wa, what, &short.output, &long.output);
    }
    if finding.passed() && !(short.error.is_empty() && long.error.is_empty()) {
        finding = Finding::differs(Verdict::Re, "standard error", b"", &short.error);
    }
    Ok(report(suite, finding, &short, "-h"))
}

/// Any other argument puts the same text on standard error.
fn refusal(suite: &Suite) -> Result<Report, String> {
    let text = run_with(suite, &["-h"], Plumbing::Held(vec![(Vec::new(), NEVER)]))?.output;
    let mut last = None;
    for arguments in &[&["--nonsense"][..], &[""], &["-h", "-h"], &["7", "7"]] {
        let run = run_with(suite, arguments, Plumbing::Held(vec![(Vec::new(), NEVER)]))?;
        let mut finding = exited(suite, &run, 2);
        if finding.passed() && run.error != text {
            finding = Finding::differs(Verdict::Wa, "standard error", &text, &run.error);
        }
        if finding.passed() && !run.output.is_empty() {
            finding = Finding::differs(Verdict::Wa, "the output", b"", &run.output);
        }
        let passed = finding.passed();
        last = Some(report(suite, finding, &run, &arguments.join(" ")));
        if !passed {
            break;
        }
    }
    last.ok_or_else(|| "no argument tried".to_string())
}

/// Every answer comes while the writer still waits before its next line.
fn talk(suite: &Suite) -> Result<Report, String> {
    let mut answers = String::new();
    let mut steps = Vec::new();
    for (typed, answer) in conversation(suite.program) {
        answers += answer;
        steps.push((typed.as_bytes().to_vec(), answers.len() as u64));
    }
    let run = run_with(suite, &[], Plumbing::Held(steps))?;
    let mut finding = exited(suite, &run, 0);
    if run.output != answers.as_bytes() {
        finding = Finding::differs(Verdict::Wa, "the talk", answers.as_bytes(), &run.output);
    }
    Ok(report(suite, finding, &run, ""))
}

/// Nobody reads the answer: a quiet end, by status 0 or by the signal made for it.
fn unread(suite: &Suite) -> Result<Report, String> {
    let run = run_with(suite, &[], Plumbing::Unread(typed(suite)))?;
    let mut finding = exited(suite, &run, 0);
    if run.end == End::Signal(SIGPIPE) {
        finding = Finding::new(Verdict::Ac, "");
    }
    if finding.passed() && !run.error.is_empty() {
        finding = Finding::differs(Verdict::Re, "standard error", b"", &run.error);
    }
    Ok(report(suite, finding, &run, "< INPUT | true"))
}

/// The answer cannot be written: status 1 and one line that names the program.
fn full_disk(suite: &Suite) -> Result<Report, String> {
    let sink = Path::new(FULL).to_path_buf();
    let run = run_with(suite, &[], Plumbing::Sent(typed(suite), sink))?;
    let mut finding = exited(suite, &run, 1);
    let start = format!("{}: ", suite.program);
    let message = String::from_utf8_lossy(&run.error);
    if finding.passed() && !(message.starts_with(&start) && message.lines().count() == 1) {
        let reason = format!("not one line that names the program: {:?}", message);
        finding = Finding::new(Verdict::Wa, &reason);
    }
    Ok(report(suite, finding, &run, "< INPUT > /dev/full"))
}

fn typed(suite: &Suite) -> Vec<u8> {
    let steps = conversation(suite.program).iter();
    steps.flat_map(|step| step.0.bytes()).collect()
}

fn run_with(suite: &Suite, arguments: &[&str], plumbing: Plumbing) -> Result<Run, String> {
    suite.run(&suite.words(arguments), plumbing, 0)
}

fn exited(suite: &Suite, run: &Run, status: i32) -> Finding {
    ended(run, &suite.limits(0), status)
}

fn report(suite: &Suite, finding: Finding, run: &Run, arguments: &str) -> Report {
    Report {
        finding,
        time: run.time,
        peak: run.peak,
        replay: format!("{} {}", suite.words(&[]).join(" "), arguments),
        confirmed: None,
    }
}
