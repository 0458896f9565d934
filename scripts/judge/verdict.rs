//! From what a run did to a verdict with its reason, and the differences shown with it.

use crate::supervise::{End, Limits, Run};
use std::time::Duration;

/// Characters of a line shown in a difference, of which this many before the first that differs.
const SHOWN: usize = 56;
const BEFORE: usize = 20;

#[derive(Clone, Copy, PartialEq)]
pub enum Verdict {
    Ac,
    Wa,
    Re,
    Tle,
    Mle,
}

impl Verdict {
    /// Padded to the same width.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ac => "AC ",
            Verdict::Wa => "WA ",
            Verdict::Re => "RE ",
            Verdict::Tle => "TLE",
            Verdict::Mle => "MLE",
        }
    }
}

/// A verdict, why, and the lines that show it.
pub struct Finding {
    pub verdict: Verdict,
    pub reason: String,
    pub details: Vec<String>,
}

impl Finding {
    pub fn new(verdict: Verdict, reason: &str) -> Self {
        Finding {
            verdict,
            reason: reason.to_string(),
            details: Vec::new(),
        }
    }

    /// `what` should have been `expected`.
    pub fn differs(verdict: Verdict, what: &str, expected: &[u8], got: &[u8]) -> Self {
        let (place, details) = first_difference(expected, got);
        Finding {
            verdict,
            reason: format!("{} differs {}", what, place),
            details,
        }
    }

    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Ac
    }
}

/// What is told of a case.
pub struct Report {
    pub finding: Finding,
    pub time: Duration,
    pub peak: Option<u64>,
    pub replay: String,
    /// Whether the oracle has confirmed the answer or found it too large; `None`: not asked.
    pub confirmed: Option<bool>,
}

impl Report {
    pub fn passed(&self) -> bool {
        self.finding.passed()
    }
}

/// Judges how a run ended, before any look at its answer.
pub fn ended(run: &Run, limits: &Limits, status: i32) -> Finding {
    let (verdict, reason) = match run.end {
        End::Exit(found) if found == status => return Finding::new(Verdict::Ac, ""),
        End::Exit(found) => (
            Verdict::Re,
            format!("exit status {} instead of {}", found, status),
        ),
        End::Signal(signal) => (Verdict::Re, format!("killed by signal {}", signal)),
        End::Time => (
            Verdict::Tle,
            format!("still running after {} s", limits.time.as_secs_f64()),
        ),
        End::Memory => (
            Verdict::Mle,
            format!("more than {} MiB", limits.memory as f64 / 1024.0),
        ),
        End::Flood => (
            Verdict::Wa,
            format!("wrote more than {} bytes", limits.output),
        ),
    };
    let mut finding = Finding::new(verdict, &reason);
    if let Some(line) = run.error.split(|&byte| byte == b'\n').next() {
        if !line.is_empty() {
            let shown: String = visible(line).chars().take(2 * SHOWN).collect();
            finding.details.push(format!("it says: {}", shown));
        }
    }
    finding
}

/// The first line that differs: where, and expected | got.
fn first_difference(expected: &[u8], got: &[u8]) -> (String, Vec<String>) {
    let mut left = expected.split_inclusive(|&byte| byte == b'\n');
    let mut right = got.split_inclusive(|&byte| byte == b'\n');
    let mut line = 1;
    let (left, right) = loop {
        match (left.next(), right.next()) {
            (None, None) => return ("nowhere".to_string(), Vec::new()),
            (left, right) if left == right => line += 1,
            (left, right) => break (shown_line(left), shown_line(right)),
        }
    };
    let same = left.iter().zip(&right).take_while(|(l, r)| l == r).count();
    let start = same.saturating_sub(BEFORE);
    let cut = |text: &[char]| text.iter().skip(start).take(SHOWN).collect::<String>();
    let place = if start > 0 {
        format!("in line {}, shown from character {}", line, start + 1)
    } else {
        format!("in line {}", line)
    };
    let width = left.len().saturating_sub(start).clamp(8, SHOWN);
    let row = |left: &str, right: &str| format!("{:width$} | {}", left, right, width = width);
    let rows = vec![row("expected", "got"), row(&cut(&left), &cut(&right))];
    (place, rows)
}

/// A line as it is shown; what would not be seen is told in words.
fn shown_line(line: Option<&[u8]>) -> Vec<char> {
    let shown = match line {
        None => "(nothing more)".to_string(),
        Some(b"\n") => "(an empty line)".to_string(),
        Some(line) => match line.strip_suffix(b"\n") {
            Some(text) => visible(text),
            None => visible(line) + "(no line end)",
        },
    };
    shown.chars().collect()
}

/// Trailing blanks and all that is not plain text become visible.
fn visible(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let kept = text.trim_end_matches(' ');
    let mut shown: String = kept
        .chars()
        .flat_map(|character| {
            let plain = !character.is_control();
            let escaped = character.escape_default().collect::<String>();
            if plain {
                character.to_string()
            } else {
                escaped
            }
            .chars()
            .collect::<Vec<_>>()
        })
        .collect();
    shown.extend(text[kept.len()..].chars().map(|_| '·'));
    shown
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_difference_is_shown() {
        for (expected, got, place, shown) in &[
            ("a\nb\n", "a\nc\n", "in line 2", "b        | c"),
            ("a\n", "a", "in line 1", "a        | a(no line end)"),
            (
                "a\n",
                "a\n\n",
                "in line 2",
                "(nothing more) | (an empty line)",
            ),
            ("a\n", "a\r\n", "in line 1", "a        | a\\r"),
            ("a\n", "a \n", "in line 1", "a        | a·"),
        ] {
            let (found, rows) = first_difference(expected.as_bytes(), got.as_bytes());
            assert_eq!((found.as_str(), rows[1].as_str()), (*place, *shown));
        }
    }
}
