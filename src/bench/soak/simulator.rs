//! The simulated devices in a process of their own.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use super::{SoakError, SoakOptions};

const ANSWER: Duration = Duration::from_secs(30);

pub(super) struct Simulator {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    pub(super) server: SocketAddr,
}

impl Simulator {
    pub(super) async fn start(options: &SoakOptions) -> Result<Self, SoakError> {
        let wrong = |why: String| SoakError::Simulator(why);
        let mut child = Command::new(&options.program)
            .args(["sim", "--json", "--no-adbd", "--latency", &options.latency])
            .args(["--devices", &options.devices.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is meant for the bench, which still needs the simulator to put the devices back.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| wrong(error.to_string()))?;
        let stdout = child.stdout.take().ok_or_else(|| wrong("it has no output".into()))?;
        let mut lines = BufReader::new(stdout).lines();
        let doors = answer(&mut lines).await?;
        let server = doors["server"].as_str().and_then(|address| address.parse().ok());
        let server = server.ok_or_else(|| wrong(format!("it names no address: {doors}")))?;
        Ok(Self { child, lines, server })
    }

    /// How long commands were made to wait so far, over all devices.
    pub(super) async fn waited(&mut self) -> Result<Duration, SoakError> {
        let process = i32::try_from(self.process()).ok().and_then(rustix::process::Pid::from_raw);
        let process = process.ok_or_else(|| SoakError::Simulator("it has ended".into()))?;
        rustix::process::kill_process(process, rustix::process::Signal::USR1)
            .map_err(|error| SoakError::Simulator(error.to_string()))?;
        let said = answer(&mut self.lines).await?;
        let waited = said["waited_s"].as_f64().and_then(|waited| Duration::try_from_secs_f64(waited).ok());
        waited.ok_or_else(|| SoakError::Simulator(format!("it does not say how long it waited: {said}")))
    }

    /// 0 when it has ended.
    pub(super) fn process(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    pub(super) async fn end(mut self) {
        // It has served its purpose, however it ends.
        let _ = self.child.kill().await;
    }
}

async fn answer(lines: &mut Lines<BufReader<ChildStdout>>) -> Result<Value, SoakError> {
    let line = tokio::time::timeout(ANSWER, lines.next_line()).await;
    let line = match line {
        Ok(Ok(Some(line))) => line,
        Ok(Ok(None)) => return Err(SoakError::Simulator("it has ended".into())),
        Ok(Err(error)) => return Err(SoakError::Simulator(error.to_string())),
        Err(_) => return Err(SoakError::Simulator("it does not answer".into())),
    };
    serde_json::from_str(&line).map_err(|error| SoakError::Simulator(format!("{error} in {line:?}")))
}
