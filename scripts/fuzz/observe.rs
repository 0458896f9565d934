//! One run of one program, and what is wrong with it.

use std::io::{self, Read, Write};
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::str;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[path = "../oracle.rs"]
#[allow(dead_code)] // its `main` is not run here
mod oracle;

/// A run may take this long; one that takes longer is tried again, since the machine may be busy.
const SLOW: Duration = Duration::from_secs(1);

/// A run is killed after this time.
const HANG: Duration = Duration::from_secs(4);

/// What a pipe takes without a reader on any system; longer inputs are written by a thread.
const PIPE: usize = 4096;

/// Longer inputs are not shown to the oracle, and it gives up after so many steps: a few milliseconds.
const ORACLE_INPUT: usize = 400;
const ORACLE_STEPS: u64 = 20_000;

/// What was seen of one input.
#[derive(Default)]
pub struct Observed {
    pub accepted: bool,
    pub confirmed: bool,
    /// The kind of the failure, if there is one.
    pub failure: Option<&'static str>,
    /// What shows it.
    pub detail: String,
}

pub struct Program {
    pub name: &'static str,
    pub path: PathBuf,
}

struct Ended {
    /// `None`: killed, since it hung.
    status: Option<ExitStatus>,
    output: Vec<u8>,
    error: Vec<u8>,
    time: Duration,
}

impl Program {
    pub fn new(name: &&'static str, folder: &Path) -> Self {
        Program {
            name,
            path: folder.join(name),
        }
    }

    /// Runs the program on the input and looks at all that it does.
    pub fn observe(&self, input: &[u8]) -> Observed {
        let mut observed = Observed::default();
        if let Err((kind, detail)) = self.examine(input, &mut observed) {
            observed.failure = Some(kind);
            observed.detail = detail;
        }
        observed
    }

    fn examine(&self, input: &[u8], observed: &mut Observed) -> Result<(), (&'static str, String)> {
        let run = || {
            self.run(input)
                .map_err(|why| ("cannot be run", why.to_string()))
        };
        let mut ended = run()?;
        if ended.time > SLOW && ended.status.is_some() {
            ended = run()?;
        }
        let error = String::from_utf8_lossy(&ended.error).into_owned();
        let status = match ended.status {
            None => return Err(("hang", format!("killed after {:?}", HANG))),
            Some(status) => status,
        };
        if ended.time > SLOW {
            return Err(("slow", format!("{:?}", ended.time)));
        }
        match status.code() {
            Some(0) if ended.error.is_empty() => observed.accepted = true,
            Some(0) => return Err(("word on standard error", error)),
            Some(1) => self.examine_refusal(input, &ended)?,
            Some(code) => return Err(("other status", format!("status {}, {}", code, error))),
            None => return Err(("signal", format!("{}, {}", status, error))),
        }
        observed.confirmed = self.compare(input, &ended, observed.accepted)?;
        Ok(())
    }

    /// One line that points into the input, and no output but answers to earlier tests.
    fn examine_refusal(&self, input: &[u8], ended: &Ended) -> Result<(), (&'static str, String)> {
        let error = String::from_utf8_lossy(&ended.error).into_owned();
        let (line, column) = match self.place(&ended.error) {
            Some(place) => place,
            None => return Err(("message in another form", error)),
        };
        let text = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
        let width = text
            .split(|&byte| byte == b'\n')
            .nth(line - 1)
            .map(|line| line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count());
        if width.map_or(true, |width| column > width + 1) {
            return Err(("place outside of the input", error));
        }
        let is_answer =
            |line: &[u8]| self.name == "complete" && (line == b"YES\n" || line == b"NO\n");
        if !ended
            .output
            .split_inclusive(|&byte| byte == b'\n')
            .all(is_answer)
        {
            return Err(("output beside an error", error));
        }
        Ok(())
    }

    /// Line and column out of `PROGRAM: line L, column C: what is wrong`, the only line.
    fn place(&self, error: &[u8]) -> Option<(usize, usize)> {
        let message = str::from_utf8(error).ok()?.strip_suffix('\n')?;
        let rest = message.strip_prefix(self.name)?.strip_prefix(": line ")?;
        let comma = rest.find(", column ")?;
        let (line, rest) = (&rest[..comma], &rest[comma + ", column ".len()..]);
        let colon = rest.find(": ")?;
        let (column, what) = (&rest[..colon], &rest[colon + 2..]);
        let whole = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
        let good = !what.is_empty() && !message.chars().any(char::is_control);
        Some((whole(line)?, whole(column)?)).filter(|_| good)
    }

    /// Holds status and output against the oracle's; whether it had an answer.
    fn compare(
        &self,
        input: &[u8],
        ended: &Ended,
        accepted: bool,
    ) -> Result<bool, (&'static str, String)> {
        if input.len() > ORACLE_INPUT {
            return Ok(false);
        }
        let text = String::from_utf8_lossy(input);
        let mut due = String::new();
        let call = panic::AssertUnwindSafe(|| match self.name {
            "clues" => oracle::clues_within(ORACLE_STEPS, &text, &mut due),
            "complete" => oracle::complete_within(ORACLE_STEPS, &text, &mut due),
            _ => oracle::reveal(&text, &mut due),
        });
        let opinion = match panic::catch_unwind(call) {
            Err(_) => return Err(("panic of the oracle", String::new())),
            Ok(Err(oracle::Refusal::TooLarge(_))) => return Ok(false),
            Ok(Err(oracle::Refusal::Unreadable(why))) => Err(why),
            Ok(Ok(())) => Ok(()),
        };
        let got = String::from_utf8_lossy(&ended.output);
        match opinion {
            Err(why) if accepted => Err(("accepted against the oracle", why)),
            Ok(()) if !accepted => Err((
                "refused against the oracle",
                String::from_utf8_lossy(&ended.error).into_owned(),
            )),
            _ if got != due => Err((
                "answer against the oracle",
                format!("{:?} | {:?}", due, got),
            )),
            _ => Ok(true),
        }
    }

    fn run(&self, input: &[u8]) -> io::Result<Ended> {
        let start = Instant::now();
        let mut child = Command::new(&self.path)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (done, guard) = guard(&child);
        feed(stdin, input);
        let (mut output, mut error) = (Vec::new(), Vec::new());
        // Standard error is a line or two, so it never fills its pipe while the output is read.
        stdout.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut output))?;
        stderr.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut error))?;
        let time = start.elapsed();
        drop(done);
        let hung = guard.join().unwrap_or(true);
        let status = child.lock().map(|mut child| child.wait());
        Ok(Ended {
            status: status.ok().and_then(Result::ok).filter(|_| !hung),
            output,
            error,
            time,
        })
    }
}

/// Kills the child if `done` is not dropped in time; the thread tells whether it had to.
fn guard(child: &Arc<Mutex<Child>>) -> (Sender<()>, JoinHandle<bool>) {
    let (done, wait) = channel();
    let child = Arc::clone(child);
    let guard = thread::spawn(move || {
        let hung = wait.recv_timeout(HANG) == Err(RecvTimeoutError::Timeout);
        if hung {
            // A lock that is poisoned or a child that is gone need no killing.
            let _ = child.lock().map(|mut child| child.kill());
        }
        hung
    });
    (done, guard)
}

/// Writes the input; a child that reads no further is no failure.
fn feed(pipe: Option<ChildStdin>, input: &[u8]) {
    let write = |pipe: Option<ChildStdin>, text: &[u8]| {
        let _ = pipe.map(|mut pipe| pipe.write_all(text));
    };
    if input.len() <= PIPE {
        write(pipe, input);
    } else {
        let text = input.to_vec();
        thread::spawn(move || write(pipe, &text));
    }
}
