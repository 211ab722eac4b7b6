//! Files with credentials, at a server that knows their users by their keys.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use droidmux::device::remote::{Choice, Credentials, Hosts, LinkError, Waits, Way};
use nkeys::KeyPair;
use serde_json::{Value, json};

use super::{HostProcess, NatsServer, Night, is_installed, quick};

async fn connect(server: &NatsServer, credentials: Credentials) -> Result<(), LinkError> {
    let way = Way { url: server.url(), credentials, ca: None };
    Hosts::connect(&way, Choice::default(), None, "0", Waits::default()).await.map(|hosts| hosts.close())
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_seed_of_an_nkey_lets_hosts_and_labs_in() {
    if !is_installed() {
        return;
    }
    let (user, stranger) = (KeyPair::new_user(), KeyPair::new_user());
    let server =
        NatsServer::with(&format!("authorization {{ users: [ {{ nkey: {} }} ] }}", user.public_key()));
    let folder = tempfile::tempdir().unwrap();
    let text = format!("# a lab's\n{}\n", user.seed().unwrap());
    let file = written(folder.path(), "lab.nk", &text);
    let other = written(folder.path(), "other.nk", &stranger.seed().unwrap());
    let none = written(folder.path(), "none.nk", "nothing\n");
    let _host = HostProcess::start(&server, "left", 1, &["--nkey", &file]).await;
    let way = Way { url: server.url(), credentials: Credentials::Nkey(file.into()), ca: None };
    Night::of(way, quick(), 1).await;
    assert_eq!(
        connect(&server, Credentials::Nkey(other.into())).await,
        Err(LinkError::Credentials(server.url()))
    );
    let none = connect(&server, Credentials::Nkey(none.into())).await;
    assert!(matches!(&none, Err(LinkError::File { why, .. }) if why.contains("no seed")), "{none:?}");
}

/// A token that `issuer` signed: `subject` is an operator, an account or a user of it.
fn token(issuer: &KeyPair, subject: &KeyPair, kind: &str, more: &Value) -> String {
    let mut about = json!({ "type": kind, "version": 2 });
    about.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let claims = json!({
        "jti": kind, "iat": 1, "name": kind, "iss": issuer.public_key(), "sub": subject.public_key(), "nats": about,
    });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(&json!({ "typ": "JWT", "alg": "ed25519-nkey" })), part(&claims));
    let signature = issuer.sign(text.as_bytes()).unwrap();
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// A file as `nsc` writes it.
fn credentials(account: &KeyPair) -> String {
    let user = KeyPair::new_user();
    let limits = json!({ "subs": -1, "data": -1, "payload": -1 });
    let (jwt, seed) = (token(account, &user, "user", &limits), user.seed().unwrap());
    format!(
        "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_credentials_lets_hosts_and_labs_in() {
    if !is_installed() {
        return;
    }
    let [operator, system, account, stranger] =
        [KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account(), KeyPair::new_account()];
    // The system's account must not have JetStream.
    let of = |account: &KeyPair, storage: i64| {
        let limits = json!({ "limits": {
            "subs": -1, "conn": -1, "leaf": -1, "imports": -1, "exports": -1, "data": -1, "payload": -1,
            "wildcards": true, "mem_storage": storage, "disk_storage": storage, "streams": -1, "consumer": -1,
        } });
        format!("{}: {}", account.public_key(), token(&operator, account, "account", &limits))
    };
    let server = NatsServer::with(&format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{ {}\n {} }}",
        token(&operator, &operator, "operator", &json!({})),
        system.public_key(),
        of(&system, 0),
        of(&account, -1),
    ));
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "lab.creds", &credentials(&account));
    let other = written(folder.path(), "other.creds", &credentials(&stranger));
    let _host = HostProcess::start(&server, "left", 1, &["--creds", &file]).await;
    let way = Way { url: server.url(), credentials: Credentials::Creds(file.into()), ca: None };
    Night::of(way, quick(), 1).await;
    assert_eq!(
        connect(&server, Credentials::Creds(other.into())).await,
        Err(LinkError::Credentials(server.url()))
    );
}
