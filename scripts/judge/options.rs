//! What the judge is told: arguments, environment, and the patterns that pick cases.

use crate::supervise::Supervisor;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

pub struct Options {
    pub ours: bool,
    pub pattern: Option<String>,
    pub oracle: Option<String>,
    pub passed: usize,
    pub failed: usize,
    pub data: PathBuf,
    /// Program and command.
    pub suites: Vec<(String, String)>,
    pub supervisor: Supervisor,
    pub time: Duration,
    /// KiB.
    pub memory: u64,
    pub verbose: bool,
    pub color: bool,
}

impl Options {
    pub fn read() -> Result<Options, String> {
        let mut options = Options::from_environment()?;
        let arguments: Vec<String> = env::args().skip(1).collect();
        let mut rest = arguments.into_iter();
        let mut plain = Vec::new();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or("an option without its value");
            match argument.as_str() {
                "--ours" => options.ours = true,
                "--color" => options.color = true,
                "--pattern" => options.pattern = Some(value()?),
                "--oracle" => options.oracle = Some(value()?),
                "--passed" => options.passed = whole("--passed", &value()?)?,
                "--failed" => options.failed = whole("--failed", &value()?)?,
                _ => plain.push(argument),
            }
        }
        if plain.len() < 3 {
            return Err("run me by check.sh".to_string());
        }
        options.data = PathBuf::from(&plain[0]);
        options.supervisor = Supervisor::new(PathBuf::from(&plain[1]));
        let suites: Option<Vec<_>> = plain[2..].iter().map(|suite| halves(suite)).collect();
        options.suites = suites.ok_or("a suite is PROGRAM=COMMAND")?;
        Ok(options)
    }

    fn from_environment() -> Result<Options, String> {
        let is_set = |name| env::var(name).map_or(false, |value| !value.is_empty() && value != "0");
        Ok(Options {
            ours: false,
            pattern: None,
            oracle: None,
            passed: 0,
            failed: 0,
            data: PathBuf::new(),
            suites: Vec::new(),
            supervisor: Supervisor::new(PathBuf::new()),
            time: Duration::from_millis(thousandths("TIME_LIMIT", "2")?),
            memory: thousandths("MEMORY_LIMIT", "256")? * 1024 / 1000,
            verbose: is_set("VERBOSE"),
            color: false,
        })
    }
}

fn halves(suite: &str) -> Option<(String, String)> {
    let at = suite.find('=')?;
    Some((suite[..at].to_string(), suite[at + 1..].to_string()))
}

fn whole(name: &str, text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("{}: not a number: {}", name, text))
}

/// A positive decimal number of the environment, times 1000.
fn thousandths(name: &str, default: &str) -> Result<u64, String> {
    let text = env::var(name).unwrap_or_else(|_| default.to_string());
    let mut halves = text.splitn(2, '.');
    let whole = halves.next().unwrap_or("");
    let part = halves.next().unwrap_or("0");
    let digits = format!("{}{:0<3}", whole, part);
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let in_range = all_digits && (1..10).contains(&whole.len()) && part.len() <= 3;
    match digits.parse() {
        Ok(value) if in_range && value > 0 => Ok(value),
        _ => Err(format!("{}: not a positive number: {:?}", name, text)),
    }
}

/// Whether a shell pattern (`*`, `?`, `[...]` with ranges and a leading `!`) fits the whole name.
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut next) = (0, 0);
    // Behind the last star, and how much of the name is behind what that star covers.
    let mut star = None;
    while next < name.len() {
        if pattern.get(at) == Some(&'*') {
            at += 1;
            star = Some((at, next));
        } else if let Some(width) = fitting_item(&pattern[at..], name[next]) {
            at += width;
            next += 1;
        } else if let Some((behind, covered)) = star {
            star = Some((behind, covered + 1));
            at = behind;
            next = covered + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&rest| rest == '*')
}

/// The width of the pattern's first item, if it fits the character.
fn fitting_item(pattern: &[char], character: char) -> Option<usize> {
    let first = *pattern.first()?;
    let close = pattern.iter().skip(2).position(|&close| close == ']');
    let (width, fits) = match close {
        Some(length) if first == '[' => {
            let inner = &pattern[1..length + 2];
            let negated = inner.len() > 1 && inner[0] == '!';
            let set = if negated { &inner[1..] } else { inner };
            let in_range = |w: &[char]| w[1] == '-' && w[0] <= character && character <= w[2];
            let is_in = set.contains(&character) || set.windows(3).any(in_range);
            (length + 3, is_in != negated)
        }
        _ => (1, first == '?' || first == character),
    };
    Some(width).filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_as_in_a_shell() {
        for pattern in &[
            "06-*",
            "*",
            "06-hard-a",
            "??-hard*",
            "*a",
            "*-*-*",
            "0[1-7]-*",
            "[!1]6*",
            "***",
        ] {
            assert!(fits(pattern, "06-hard-a"), "{}", pattern);
        }
        for pattern in &[
            "",
            "06-",
            "hard",
            "?",
            "*b",
            "0[1-5]-*",
            "[!0]*",
            "06-hard-a?",
            "*-*-*-*",
            "[",
        ] {
            assert!(!fits(pattern, "06-hard-a"), "{}", pattern);
        }
    }
}
