//! Runs one command under limits of time, memory and output, and never hangs on it.
//!
//! *Method*: the command runs in a session of its own (`setsid`, where there is one) with its output and
//! its standard error in files, so nothing that it starts can hold a pipe open. (Without `setsid`
//! only the command itself is killed in the end, not what it has started.) It is looked at every
//! millisecond, or more often while it is young. Over a limit, and after every run, its whole group is
//! sent SIGKILL, which cannot be ignored.
//!
//! *Time* is wall time from the start to the end that was seen.
//!
//! *Memory* is the peak resident set, `VmHWM` in `/proc/PID/status`, of the command and all its
//! descendants together. A peak held for less than a millisecond can be missed. Without `/proc`
//! nothing is measured: the peak is `None` and `End::Memory` never happens.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The pause between two looks at a running command.
const PAUSE: Duration = Duration::from_millis(1);

/// The same while the command is younger than `YOUNG`: most are gone by then.
const SHORT_PAUSE: Duration = Duration::from_micros(200);
const YOUNG: Duration = Duration::from_millis(10);

/// A text up to this length goes through an open pipe byte by byte, a longer one in pieces of a
/// prime length, so that reads end anywhere inside its cells.
const SHORT_TEXT: usize = 2000;
const PIECE: usize = 4093;

/// How a run ended.
#[derive(Clone, Copy, PartialEq)]
pub enum End {
    Exit(i32),
    Signal(i32),
    /// Killed: it ran longer than allowed.
    Time,
    /// Killed: it held more memory than allowed.
    Memory,
    /// Killed: it wrote more than allowed.
    Flood,
}

pub struct Run {
    pub end: End,
    pub time: Duration,
    /// KiB; `None` where it could not be measured.
    pub peak: Option<u64>,
    pub output: Vec<u8>,
    pub error: Vec<u8>,
}

/// What stands at the command's standard input and output.
pub enum Plumbing {
    /// Input from a file, as a judge feeds it.
    Filed(PathBuf),
    /// Input through a pipe: each text is sent once the output has reached the length that stands
    /// with the text before it; the pipe is closed only when the last length is reached.
    Held(Vec<(Vec<u8>, u64)>),
    /// Input through a pipe, sent when nobody can read the output any more.
    Unread(Vec<u8>),
    /// Input through a pipe, output to the file, which may be a device.
    Sent(Vec<u8>, PathBuf),
}

#[derive(Clone)]
pub struct Limits {
    pub time: Duration,
    /// KiB.
    pub memory: u64,
    /// Bytes on standard output, and as many on standard error.
    pub output: u64,
}

pub struct Supervisor {
    /// Where the outputs are kept; a folder of this supervisor's own.
    scratch: PathBuf,
    has_setsid: bool,
}

impl Supervisor {
    pub fn new(scratch: PathBuf) -> Self {
        let probe = Command::new("setsid")
            .arg("true")
            .stdin(Stdio::null())
            .status();
        Supervisor {
            scratch,
            has_setsid: probe.map_or(false, |status| status.success()),
        }
    }

    /// Runs the command, whatever it does, to its end or to its limits.
    pub fn run(&self, words: &[String], plumbing: Plumbing, limits: &Limits) -> io::Result<Run> {
        let (output, error) = (self.scratch.join("output"), self.scratch.join("error"));
        let mut command = self.command(words);
        command.stdout(File::create(&output)?);
        command.stderr(File::create(&error)?);
        let mut texts = Vec::new();
        match plumbing {
            Plumbing::Filed(ref input) => command.stdin(File::open(input)?),
            Plumbing::Unread(text) => {
                texts = vec![(text, 0)];
                command.stdin(Stdio::piped()).stdout(Stdio::piped())
            }
            Plumbing::Sent(text, ref sink) => {
                texts = vec![(text, 0)];
                command.stdin(Stdio::piped()).stdout(File::create(sink)?)
            }
            Plumbing::Held(steps) => {
                texts = steps;
                command.stdin(Stdio::piped())
            }
        };
        let start = Instant::now();
        let mut child = command.spawn()?;
        drop(child.stdout.take());
        let mut feed = child.stdin.take().map(|pipe| Feed::new(pipe, texts));
        let (end, peak) = self.watch(&mut child, &mut feed, limits, start)?;
        let time = start.elapsed();
        self.kill(&mut child);
        Ok(Run {
            end,
            time,
            peak,
            output: fs::read(output)?,
            error: fs::read(error)?,
        })
    }

    fn command(&self, words: &[String]) -> Command {
        let mut words = words.iter();
        let mut command = if self.has_setsid {
            Command::new("setsid")
        } else {
            Command::new(words.next().map_or("", String::as_str))
        };
        command.args(words);
        command
    }

    /// Looks at the child until it has ended or must be ended.
    fn watch(
        &self,
        child: &mut Child,
        feed: &mut Option<Feed>,
        limits: &Limits,
        start: Instant,
    ) -> io::Result<(End, Option<u64>)> {
        let mut peak = None;
        loop {
            peak = peak.max(held_memory(child.id()));
            let status = child.try_wait()?;
            if peak > Some(limits.memory) {
                return Ok((End::Memory, peak));
            }
            if let Some(status) = status {
                let end = status.code().map_or_else(|| signal(&status), End::Exit);
                return Ok((end, peak));
            }
            let written = self.written("output")?;
            if written.max(self.written("error")?) > limits.output {
                return Ok((End::Flood, peak));
            }
            let age = start.elapsed();
            if age > limits.time {
                return Ok((End::Time, peak));
            }
            if let Some(feed) = feed {
                feed.go_on(written);
            }
            thread::sleep(if age < YOUNG { SHORT_PAUSE } else { PAUSE });
        }
    }

    fn written(&self, name: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.scratch.join(name))?.len())
    }

    /// Kills the child and all that is left of its group. Failures mean that nobody is left.
    fn kill(&self, child: &mut Child) {
        if self.has_setsid {
            let _ = Command::new("sh")
                .args(["-c", "kill -KILL \"-$0\"", &child.id().to_string()])
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn signal(status: &ExitStatus) -> End {
    End::Signal(status.signal().unwrap_or(0))
}

/// KiB of peak resident memory of a process and its descendants; `None` if it cannot be told.
fn held_memory(process: u32) -> Option<u64> {
    let mut sum = None;
    let mut open = vec![process.to_string()];
    while let Some(id) = open.pop() {
        let folder = PathBuf::from("/proc").join(&id);
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .and_then(|value| value.trim().trim_end_matches(" kB").parse::<u64>().ok());
        sum = peak.map(|kib| kib + sum.unwrap_or(0)).or(sum);
        let children = folder.join("task").join(&id).join("children");
        let children = fs::read_to_string(children).unwrap_or_default();
        open.extend(children.split_whitespace().map(str::to_string));
    }
    sum
}

/// The writing end of a pipe that stays open; a thread writes, so that a full pipe blocks only it.
struct Feed {
    /// Dropped to close the pipe.
    texts: Option<Sender<Vec<u8>>>,
    /// What is still to be sent, each with the length of output that is due after it.
    steps: std::vec::IntoIter<(Vec<u8>, u64)>,
    /// The length of output after which the next step is taken.
    due: u64,
}

impl Feed {
    fn new(pipe: ChildStdin, steps: Vec<(Vec<u8>, u64)>) -> Self {
        let (sender, receiver) = channel();
        thread::spawn(move || write_all(pipe, &receiver));
        Feed {
            texts: Some(sender),
            steps: steps.into_iter(),
            due: 0,
        }
    }

    /// Sends the next text, or closes the pipe, if the output has got so far.
    fn go_on(&mut self, written: u64) {
        if written < self.due {
            return;
        }
        match (self.steps.next(), &self.texts) {
            (Some((text, due)), Some(texts)) => {
                self.due = due;
                // A writer that has gone away: the child has closed its input.
                let _ = texts.send(text);
            }
            _ => self.texts = None,
        }
    }
}

/// Writes until the texts or the readers end; a child that reads no further is no failure.
fn write_all(mut pipe: ChildStdin, texts: &Receiver<Vec<u8>>) {
    while let Ok(text) = texts.recv() {
        let piece = if text.len() <= SHORT_TEXT { 1 } else { PIECE };
        if text
            .chunks(piece)
            .any(|piece| pipe.write_all(piece).is_err())
        {
            return;
        }
    }
}
