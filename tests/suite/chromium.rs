//! Headless Chromium, driven over its debugging pipe (messages in JSON, a NUL after each), with one page.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// Seconds after which it is ended, whatever it is doing: a test that is waiting for it then fails.
const LIFE: &str = "120";

pub struct Chromium {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    /// What it reported unasked since the last page was loaded.
    pub events: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Chromium {
    /// `None`, with a message, if it is not installed.
    pub fn start() -> Option<Self> {
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
            let tried =
                Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            tried.is_ok_and(|status| status.success())
        });
        let Some(program) = program else {
            println!("skipped: no chromium is installed");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // It reads commands from descriptor 3 and answers on 4.
        let command = format!(
            "exec timeout -k 5 {LIFE} {program} --headless=new --no-sandbox --disable-gpu --no-first-run \
             --disable-dev-shm-usage --remote-debugging-pipe --user-data-dir=\"$0\" about:blank 3<&0 4>&1 2>/dev/null"
        );
        let mut child = Command::new("sh")
            .args(["-c", &command])
            .arg(profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut browser =
            Self { child, to, from, session: None, calls: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attach = json!({"targetId": target, "flatten": true});
        let session = browser.call("Target.attachToTarget", attach)["sessionId"].as_str().map(str::to_owned);
        browser.session = session;
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol on the page.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        self.to.flush().unwrap();
        loop {
            let answer = self.next();
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    /// Shows a file on a screen of this width, in this theme of the system, and waits until it is loaded.
    pub fn show(&mut self, file: &Path, width: u32, theme: &str) {
        let screen = json!({"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", screen);
        let theme = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        self.call("Emulation.setEmulatedMedia", theme);
        self.events.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.next();
            self.events.push(event);
        }
    }

    /// The value of an expression on the page; for a promise, its result.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{answer}");
        answer["result"]["value"].clone()
    }

    fn next(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "chromium ended, or was ended after {LIFE} s");
        serde_json::from_slice(&message).unwrap()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // With both ends of the pipe closed, it ends by itself; all that is left is to wait for it.
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.to.flush();
        let _ = self.child.wait();
    }
}
