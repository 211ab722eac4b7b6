//! The client against a genuine server: LiteLLM's proxy, which answers with mock replies.
//!
//! ```text
//! python3 -m venv litellm && litellm/bin/pip install 'litellm[proxy]'
//! DROIDMUX_LITELLM=litellm/bin/litellm cargo test --test suite litellm -- --ignored
//! ```

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use droidmux::record::{LlmSettings, NoReply};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::{ask, ask_at, client_with, place, seeing_question, settings};
use crate::ports::free_port;

const KEY: &str = "sk-local-0123456789abcdef";

const REPLY: &str = r#"{"action": "click", "widget": 3, "why": "Größe 😀"}"#;

/// A proxy with a model that replies, and one whose provider refuses further requests.
struct Proxy {
    base_url: String,
    _folder: tempfile::TempDir,
    _process: Child,
}

impl Proxy {
    async fn start() -> Option<Self> {
        let program = std::env::var("DROIDMUX_LITELLM").unwrap_or_else(|_| "litellm".into());
        let folder = tempfile::tempdir().expect("a folder");
        let config = folder.path().join("config.yaml");
        std::fs::write(&config, config_text()).expect("written");
        let port = free_port().to_string();
        let process = Command::new(&program)
            .arg("--config")
            .arg(&config)
            .args(["--host", "127.0.0.1", "--port", &port, "--telemetry", "False"])
            .env("HOME", folder.path())
            .env("LITELLM_MASTER_KEY", KEY)
            // Prices come with the package instead of from the network.
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let process = match process {
            Ok(process) => process,
            Err(error) => {
                println!("skipped: no {program} ({error}); see tests/suite/llm/litellm.rs");
                return None;
            }
        };
        for _ in 0..240 {
            if TcpStream::connect(format!("127.0.0.1:{port}")).await.is_ok() {
                let base_url = format!("http://127.0.0.1:{port}/v1");
                return Some(Self { base_url, _folder: folder, _process: process });
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        panic!("{program} does not listen");
    }

    fn settings(&self, model: &str) -> LlmSettings {
        LlmSettings { model: model.into(), timeout: 60, retries: 1, ..settings(&self.base_url) }
    }
}

fn config_text() -> String {
    let model = |name: &str, reply: &str| {
        format!(
            "  - model_name: {name}\n    litellm_params:\n      model: openai/{name}\n      api_key: none\n      \
             mock_response: '{reply}'\n"
        )
    };
    format!("model_list:\n{}{}", model("mocked", REPLY), model("limited", "litellm.RateLimitError"))
}

#[tokio::test]
#[ignore = "needs LiteLLM: see the command in this file"]
async fn through_litellms_proxy() {
    let Some(proxy) = Proxy::start().await else { return };
    let (question, pictures) = seeing_question("What now?", &tiny_png());
    let nowhere = Path::new("");
    for options in ["", r#"{"stream": false, "temperature": 0}"#] {
        let settings = LlmSettings { options: options.into(), ..proxy.settings("mocked") };
        let client = client_with(&settings, Some(KEY), nowhere, false).expect("a client");
        let reply = ask_at(&client, place(0, 0), &question, &pictures).await.expect("a reply");
        println!("{options:?}: {:?}", reply.exchange);
        assert_eq!(reply.text, REPLY);
        assert_eq!(reply.exchange.tries, [] as [&str; 0]);
        assert!(reply.exchange.tokens_in > 0 && reply.exchange.tokens_out > 0 && reply.exchange.cost > 0);
        assert!(reply.exchange.answered_by.contains("mocked at 127.0.0.1:"), "{:?}", reply.exchange);
    }
    let cases = [
        ("limited", KEY, NoReply::Unreachable, "429"),
        ("unknown", KEY, NoReply::Refused, "400"),
        ("mocked", "sk-wrong-0123456789abcdef", NoReply::Refused, "400"),
    ];
    for (model, key, why, told) in cases {
        let client = client_with(&proxy.settings(model), Some(key), nowhere, false).expect("a client");
        let unanswered = ask(&client, "?").await.expect_err(model);
        println!("{model}: {} {:?}", unanswered.detail, unanswered.exchange.tries);
        assert_eq!(unanswered.why, why, "{}", unanswered.detail);
        assert!(unanswered.detail.contains(told), "{}", unanswered.detail);
    }
}

/// One pixel.
fn tiny_png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(1, 1).write_to(&mut bytes, image::ImageFormat::Png).expect("a PNG");
    bytes.into_inner()
}
