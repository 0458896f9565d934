//! The test data of one program, and the judging of its cases.

use crate::field;
use crate::options::{fits, Options};
use crate::supervise::{End, Limits, Plumbing, Run};
use crate::verdict::{ended, Finding, Report, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The group whose cases are malformed: an `.err`, and an `.out` only where answers are due before it.
const BAD: &str = "09-bad-";

/// Output allowed beyond twice the expected length: enough to show what went wrong.
const SLACK: u64 = 1 << 20;

/// The oracle counts its own steps and gives up within seconds; with the status after this.
const ORACLE_TIME: Duration = Duration::from_secs(20);
const ORACLE_TOO_LARGE: i32 = 3;

pub struct Case {
    pub name: String,
    bad: bool,
    input: PathBuf,
    /// The answers due; for a bad case those before the error.
    output: Vec<u8>,
    /// The message of a bad case.
    error: Vec<u8>,
}

impl Case {
    fn status(&self) -> i32 {
        if self.bad {
            1
        } else {
            0
        }
    }
}

/// One program and its folder.
pub struct Suite<'a> {
    pub options: &'a Options,
    pub program: &'a str,
    command: &'a str,
    pub folder: PathBuf,
}

impl<'a> Suite<'a> {
    pub fn new(options: &'a Options, program: &'a str, command: &'a str) -> Self {
        Suite {
            options,
            program,
            command,
            folder: options.data.join(program),
        }
    }

    /// The cases of the folder by name, and what is wrong with its files.
    pub fn cases(&self) -> Result<(Vec<Case>, Vec<String>), String> {
        let tell = |error| format!("{}: {}", self.folder.display(), error);
        let mut stems = BTreeSet::new();
        let mut defects = Vec::new();
        if !self.folder.is_dir() {
            defects.push(format!("{}: no such folder", self.folder.display()));
            return Ok((Vec::new(), defects));
        }
        for entry in fs::read_dir(&self.folder).map_err(tell)? {
            let path = entry.map_err(tell)?.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("in") | Some("out") | Some("err") => {
                    stems.insert(path.with_extension(""));
                }
                _ => defects.push(format!("{}: not .in, .out or .err", path.display())),
            }
        }
        let mut cases = Vec::new();
        for stem in stems {
            match read_case(&stem) {
                Ok(case) => cases.push(case),
                Err(defect) => defects.push(format!("{}: {}", stem.display(), defect)),
            }
        }
        Ok((cases, defects))
    }

    pub fn picks(&self, case: &Case) -> bool {
        match self.options.pattern {
            Some(ref pattern) => fits(pattern, &case.name),
            None => !self.leaves_out(case),
        }
    }

    pub fn leaves_out(&self, case: &Case) -> bool {
        case.bad && !self.options.ours && self.options.pattern.is_none()
    }

    /// Runs a case in every way that is due, until one of them fails.
    pub fn judge(&self, case: &Case) -> Result<Report, String> {
        let input = Plumbing::Filed(case.input.clone());
        let run = self.run(&self.words(&[]), input, case.output.len())?;
        let mut finding = self.assess(case, &run)?;
        let mut confirmed = None;
        let mut replay = self.replay(case);
        if self.options.ours && finding.passed() && !case.bad {
            finding = self.judge_held(case)?;
            if !finding.passed() {
                replay = self.replay_held(case);
            }
        }
        if let Some(oracle) = self.options.oracle.as_ref().filter(|_| finding.passed()) {
            let (opinion, answered) = self.consult(oracle, case)?;
            finding = opinion;
            if !finding.passed() {
                let input = quoted(&case.input.display().to_string());
                replay = format!("{} {} < {}", quoted(oracle), self.program, input);
            }
            confirmed = Some(answered);
        }
        Ok(Report {
            finding,
            time: run.time,
            peak: run.peak,
            replay,
            confirmed,
        })
    }

    /// How the command is started: a file as it is, all else by a shell.
    pub fn words(&self, arguments: &[&str]) -> Vec<String> {
        let mut words = vec![self.command.to_string()];
        if !self.is_file() {
            words = vec![
                "bash".to_string(),
                "-c".to_string(),
                self.command.to_string(),
            ];
        }
        words.extend(arguments.iter().map(|argument| argument.to_string()));
        words
    }

    fn is_file(&self) -> bool {
        Path::new(self.command).is_file()
    }

    pub fn limits(&self, expected: usize) -> Limits {
        Limits {
            time: self.options.time,
            memory: self.options.memory,
            output: SLACK + 2 * expected as u64,
        }
    }

    pub fn run(
        &self,
        words: &[String],
        plumbing: Plumbing,
        expected: usize,
    ) -> Result<Run, String> {
        let limits = self.limits(expected);
        let run = self.options.supervisor.run(words, plumbing, &limits);
        run.map_err(|why| format!("cannot run {}: {}", words.join(" "), why))
    }

    /// Status first, then the answer, then standard error.
    fn assess(&self, case: &Case, run: &Run) -> Result<Finding, String> {
        let finding = ended(run, &self.limits(case.output.len()), case.status());
        if !finding.passed() {
            return Ok(finding);
        }
        if run.output != case.output {
            if self.accepts(case, &run.output)? {
                let reason = "another field, which satisfies every clue";
                return Ok(Finding::new(Verdict::Ac, reason));
            }
            let (expected, got) = (&case.output, &run.output);
            return Ok(Finding::differs(Verdict::Wa, "the answer", expected, got));
        }
        if run.error != case.error && (case.bad || self.options.ours) {
            let verdict = if case.bad { Verdict::Wa } else { Verdict::Re };
            let (expected, got) = (&case.error, &run.error);
            return Ok(Finding::differs(verdict, "standard error", expected, got));
        }
        Ok(finding)
    }

    /// Whether somebody else's answer is a field, where a field is due, and meets every clue.
    fn accepts(&self, case: &Case, answer: &[u8]) -> Result<bool, String> {
        if self.program != "clues" || self.options.ours || case.bad || case.output == b"-1\n" {
            return Ok(false);
        }
        let input = read(&case.input)?;
        Ok(field::satisfies(&input, answer))
    }

    /// The same case through a pipe that stays open until the whole answer has come. The last
    /// number of a file may end with the file; in an open pipe a line end has to end it.
    fn judge_held(&self, case: &Case) -> Result<Finding, String> {
        let mut text = read(&case.input)?;
        text.push(b'\n');
        let due = case.output.len();
        let steps = vec![(text, due as u64)];
        let run = self.run(&self.words(&[]), Plumbing::Held(steps), due)?;
        let mut finding = self.assess(case, &run)?;
        if !finding.passed() {
            finding.reason += ", when the input's pipe stays open";
        }
        Ok(finding)
    }

    /// Holds the expected answer against the oracle's; whether it had one.
    fn consult(&self, oracle: &str, case: &Case) -> Result<(Finding, bool), String> {
        let words = [oracle.to_string(), self.program.to_string()];
        let mut limits = self.limits(case.output.len());
        limits.time = limits.time.max(ORACLE_TIME);
        let input = Plumbing::Filed(case.input.clone());
        let run = self.options.supervisor.run(&words, input, &limits);
        let run = run.map_err(|why| format!("cannot run {}: {}", oracle, why))?;
        if run.end == End::Exit(ORACLE_TOO_LARGE) {
            return Ok((Finding::new(Verdict::Ac, ""), false));
        }
        let mut finding = ended(&run, &limits, case.status());
        if finding.passed() && run.output != case.output {
            let what = "the oracle's answer";
            finding = Finding::differs(Verdict::Wa, what, &case.output, &run.output);
        }
        if !finding.passed() {
            finding.reason = format!("the test data is in doubt: oracle: {}", finding.reason);
        }
        Ok((finding, true))
    }

    /// The command that shows a failure again; 1 MiB of stack is all that our programs are given.
    fn replay(&self, case: &Case) -> String {
        let input = quoted(&case.input.display().to_string());
        let command = self.quoted_command();
        if self.options.ours {
            format!("(ulimit -s 1024; {} < {})", command, input)
        } else {
            format!("{} < {}", command, input)
        }
    }

    /// The same with a pipe that stays open for a while.
    fn replay_held(&self, case: &Case) -> String {
        let input = quoted(&case.input.display().to_string());
        let command = self.quoted_command();
        format!(
            "(ulimit -s 1024; {{ cat {}; echo; sleep 5; }} | {})",
            input, command
        )
    }

    /// A command of plain words stands as it is, any other one behind a shell's name.
    fn quoted_command(&self) -> String {
        let words = self.command.split(' ');
        if self.is_file() || words.map(quoted).ne(self.command.split(' ')) {
            let words = self.words(&[]);
            words
                .iter()
                .map(|word| quoted(word))
                .collect::<Vec<_>>()
                .join(" ")
        } else {
            self.command.to_string()
        }
    }
}

fn read_case(stem: &Path) -> Result<Case, String> {
    let name = stem
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let bad = name.starts_with(BAD);
    let file = |extension: &str| stem.with_file_name(format!("{}.{}", name, extension));
    let (input, output, error) = (file("in"), file("out"), file("err"));
    match (input.is_file(), output.is_file(), error.is_file()) {
        (false, _, _) => return Err("an orphan: no .in".to_string()),
        (_, false, _) if !bad => return Err("an orphan: no .out".to_string()),
        (_, _, false) if bad => return Err("an orphan: no .err".to_string()),
        (_, _, true) if !bad => return Err(format!("an .err outside of {}*", BAD)),
        _ => {}
    }
    Ok(Case {
        output: if output.is_file() {
            read(&output)?
        } else {
            Vec::new()
        },
        error: if bad { read(&error)? } else { Vec::new() },
        name,
        bad,
        input,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|why| format!("{}: {}", path.display(), why))
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
