//! Runs the program under test: files for input and output, so that nothing can block on a pipe, and a
//! watchdog, so that nothing hangs.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long one run may take.
const LIMIT: Duration = Duration::from_secs(10);

/// The running process and when it is to be ended.
type Watched = Arc<Mutex<Option<(u32, Instant)>>>;

pub struct Runner {
    pub command: String,
    /// Also a word on standard error is a failure.
    strict: bool,
    scratch: String,
    watched: Watched,
}

impl Runner {
    pub fn new(program: &str, command: &str, strict: bool, scratch: &str) -> Self {
        let watched = Watched::default();
        watch(Arc::clone(&watched));
        let scratch = format!("{}/{}", scratch, program);
        Runner {
            command: command.to_string(),
            strict,
            scratch,
            watched,
        }
    }

    /// The answer to this input, or what went wrong.
    pub fn run(&self, input: &str) -> Result<String, String> {
        let status = self
            .execute(input)
            .map_err(|error| format!("cannot run it: {}", error))?;
        let errors = fs::read(self.path("err")).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        if !status.success() {
            let how = match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit status {}", code),
                (None, Some(9)) => format!("signal 9, perhaps after {} s", LIMIT.as_secs()),
                (None, signal) => format!("signal {}", signal.unwrap_or(0)),
            };
            return Err(format!("{}: {}", how, errors.trim_end()));
        }
        if self.strict && !errors.is_empty() {
            return Err(format!("on standard error: {}", errors.trim_end()));
        }
        let answer = fs::read(self.path("out")).map_err(|error| error.to_string())?;
        String::from_utf8(answer).map_err(|_| String::from("an answer that is no UTF-8"))
    }

    fn path(&self, end: &str) -> String {
        format!("{}.{}", self.scratch, end)
    }

    fn execute(&self, input: &str) -> io::Result<ExitStatus> {
        fs::write(self.path("in"), input)?;
        let mut command = Command::new("bash");
        if Path::new(&self.command).is_file() {
            command = Command::new(fs::canonicalize(&self.command)?);
        } else {
            command.args(["-c", &format!("exec {}", self.command)]);
        }
        command.stdin(File::open(self.path("in"))?);
        command.stdout(File::create(self.path("out"))?);
        command.stderr(File::create(self.path("err"))?);
        let mut child = command.spawn()?;
        self.set_watched(Some((child.id(), Instant::now() + LIMIT)));
        let status = child.wait();
        self.set_watched(None);
        status
    }

    fn set_watched(&self, process: Option<(u32, Instant)>) {
        if let Ok(mut watched) = self.watched.lock() {
            *watched = process;
        }
    }
}

/// Ends the watched process when its time is over. The lock is held meanwhile, so it is not yet another one.
fn watch(watched: Watched) {
    thread::spawn(move || loop {
        thread::sleep(Duration::from_millis(100));
        if let Ok(watched) = watched.lock() {
            if let Some((process, _)) = watched.filter(|&(_, end)| Instant::now() > end) {
                let kill = Command::new("kill")
                    .args(["-9", &process.to_string()])
                    .stderr(Stdio::null())
                    .status();
                if let Err(error) = kill {
                    eprintln!("stress: cannot end process {}: {}", process, error);
                }
            }
        }
    });
}
