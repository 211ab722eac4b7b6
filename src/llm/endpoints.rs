//! What all sessions of a lab share about the endpoints they ask: connections, how many requests go to one at once, and
//! what was learned about how it wants to be asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio::sync::Semaphore;

use super::manner::{Form, Manner};
use super::{LlmError, People};
use droidmux_record::ReplyStyle;

const CONNECT_LIMIT: Duration = Duration::from_secs(15);

/// The endpoints of a lab.
#[derive(Debug)]
pub struct Endpoints {
    /// The longest wait before the first repeated request; each further wait is twice as long.
    first_wait: Duration,
    known: Mutex<HashMap<String, Arc<Endpoint>>>,
    /// One client for servers elsewhere, and one for those on this machine, which are reached without a proxy.
    clients: Mutex<[Option<Client>; 2]>,
    people: Arc<People>,
}

/// One base URL.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub gate: Semaphore,
    /// Requests at once; set by the session that allows the most.
    limit: Mutex<u32>,
    /// By model.
    manners: Mutex<HashMap<String, Manner>>,
}

impl Default for Endpoints {
    fn default() -> Self {
        Self::new(Duration::from_millis(500))
    }
}

impl Endpoints {
    /// None known yet. A failed request is first made again after at most `first_wait`.
    pub fn new(first_wait: Duration) -> Self {
        Self { first_wait, known: Mutex::default(), clients: Mutex::default(), people: Arc::default() }
    }

    /// The same endpoints with these people behind `provider = "people"`.
    #[must_use]
    pub fn with_people(self, people: Arc<People>) -> Self {
        Self { people, ..self }
    }

    /// Where questions to people wait.
    pub fn people(&self) -> &Arc<People> {
        &self.people
    }

    pub(super) fn first_wait(&self) -> Duration {
        self.first_wait
    }

    /// The endpoint with this base URL, which is created, or widened to this many requests at once.
    pub(super) fn endpoint(&self, base: &Url, at_once: u32) -> Arc<Endpoint> {
        let mut known = lock(&self.known);
        let endpoint = known.entry(base.as_str().trim_end_matches('/').to_owned()).or_insert_with(|| {
            let (limit, manners) = (Mutex::new(0), Mutex::default());
            Arc::new(Endpoint { gate: Semaphore::new(0), limit, manners })
        });
        endpoint.widen(at_once.max(1));
        Arc::clone(endpoint)
    }

    /// The HTTP client for this address. It does not follow redirects: a key is for one host.
    pub(super) fn http(&self, base: &Url) -> Result<Client, LlmError> {
        let local = is_local(base);
        let mut clients = lock(&self.clients);
        let slot = &mut clients[usize::from(local)];
        if let Some(client) = slot {
            return Ok(client.clone());
        }
        let builder = Client::builder()
            .user_agent(concat!("droidmux/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .tls_backend_preconfigured(tls().map_err(|error| LlmError::Http(error.to_string()))?)
            .connect_timeout(CONNECT_LIMIT);
        let builder = if local { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|error| LlmError::Http(error.to_string()))?;
        Ok(slot.insert(client).clone())
    }
}

impl Endpoint {
    fn widen(&self, at_once: u32) {
        let mut limit = lock(&self.limit);
        if let Some(more) = at_once.checked_sub(*limit) {
            self.gate.add_permits(usize::try_from(more).unwrap_or(1));
            *limit = at_once;
        }
    }

    /// How this model is asked, as far as that is known.
    pub(super) fn manner(&self, model: &str, style: ReplyStyle) -> Manner {
        let known = lock(&self.manners).get(model).copied().unwrap_or(Manner::FULL);
        Manner { form: Form::fixed(style).unwrap_or(known.form), ..known }
    }

    /// Remembers that the model refused what this manner leaves out. A form that settings fix (`fixed`) says nothing
    /// about the others.
    pub(super) fn learn(&self, model: &str, manner: Manner, fixed: bool) {
        let mut manners = lock(&self.manners);
        let known = manners.entry(model.to_owned()).or_insert(Manner::FULL);
        known.stream &= manner.stream;
        known.usage &= manner.usage;
        if !fixed {
            known.form = known.form.max(manner.form);
        }
    }
}

/// TLS as far as this machine's roots go. Without any, only encrypted connections fail: reqwest's own set-up would
/// create no client at all, not even for a model on this machine.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let found = rustls_native_certs::load_native_certs();
    for error in found.errors {
        tracing::warn!("certificates that this machine trusts cannot be read: {error}");
    }
    let mut roots = RootCertStore::empty();
    // Stores hold ancient certificates, which are of no use to anybody.
    roots.add_parsable_certificates(found.certs);
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_is_not_forgotten() {
        let base: Url = "http://localhost:1/v1".parse().expect("a URL");
        let endpoint = Endpoints::default().endpoint(&base, 1);
        let object = Manner { form: Form::Object, ..Manner::FULL };
        endpoint.learn("m", object, false);
        // A session that knew less, and one whose settings fix the style.
        endpoint.learn("m", Manner { usage: false, ..Manner::FULL }, false);
        endpoint.learn("m", Manner { form: Form::Text, ..Manner::FULL }, true);
        assert_eq!(endpoint.manner("m", ReplyStyle::Auto), Manner { usage: false, ..object });
        let fixed = Manner { usage: false, ..Manner::FULL };
        assert_eq!(endpoint.manner("m", ReplyStyle::Schema), fixed);
        assert_eq!(endpoint.manner("another", ReplyStyle::Auto), Manner::FULL);
    }

    #[test]
    fn an_endpoint_is_as_wide_as_its_widest_session() {
        let endpoints = Endpoints::default();
        let base: Url = "http://localhost:1/v1".parse().expect("a URL");
        for (at_once, expected) in [(2, 2), (5, 5), (3, 5), (0, 5)] {
            assert_eq!(endpoints.endpoint(&base, at_once).gate.available_permits(), expected, "{at_once}");
        }
    }

    #[test]
    fn no_proxy_leads_to_this_machine() {
        let cases = [
            ("http://localhost:8080/v1", true),
            ("http://127.0.0.1/v1", true),
            ("http://[::1]:4000", true),
            ("https://api.example.com/v1", false),
            ("http://10.0.0.1", false),
        ];
        for (url, expected) in cases {
            assert_eq!(is_local(&url.parse().expect("a URL")), expected, "{url}");
        }
    }
}
