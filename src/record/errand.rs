//! Errands: work that only one technique understands, in an envelope that everybody can read.
//!
//! In: a technique's own type of work, which implements [`ErrandContent`]. Out: an [`Errand`] with its name, its limits
//! and the sessions it refers to; code that knows the type gets the content back.
//!
//! Invariants: equal contents make equal errands, whether they were made, stored and read again, or printed as JSON and
//! parsed; a content names sessions by their place in the envelope, so code that renumbers sessions needs no knowledge
//! of techniques.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::SessionId;
use super::json::Json;

/// What one technique wants done or judged, in its own terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// One word for listings; identifies the kind of content.
    pub name: String,
    /// The most events, not counting resets.
    pub events: u64,
    /// The most questions to a language model.
    pub calls: u64,
    /// The sessions that the content names, in the order in which it first names them.
    pub sessions: Vec<SessionId>,
    content: Json,
}

/// A technique's own type of work.
pub trait ErrandContent: Serialize + DeserializeOwned {
    /// One word for listings, which no other type has.
    const NAME: &'static str;

    /// The most events, not counting resets.
    fn events(&self) -> u64;

    /// The most questions to a language model.
    fn calls(&self) -> u64 {
        0
    }

    /// Shows every session that it names to the visitor, always in the same order.
    fn each_session(&mut self, _visit: &mut dyn FnMut(&mut SessionId)) {}
}

impl Errand {
    /// Puts work into its envelope.
    ///
    /// # Panics
    /// When the type cannot be written as JSON, e.g. as a map whose keys are not strings.
    pub fn new<T: ErrandContent>(mut work: T) -> Self {
        let (events, calls) = (work.events(), work.calls());
        let mut sessions: Vec<SessionId> = Vec::new();
        work.each_session(&mut |id| {
            let place = sessions.iter().position(|known| known == id).unwrap_or_else(|| {
                sessions.push(*id);
                sessions.len() - 1
            });
            *id = SessionId(u32::try_from(place).unwrap_or(u32::MAX));
        });
        let content = Json::of(&work, &format!("work of the kind `{}`", T::NAME));
        Self { name: T::NAME.to_owned(), events, calls, sessions, content }
    }

    /// The work, if it is of this type; also `None` when it cannot be read or names a session that the envelope does
    /// not list.
    pub fn content<T: ErrandContent>(&self) -> Option<T> {
        if self.name != T::NAME {
            return None;
        }
        let mut work: T = serde_json::from_str(&self.content.0).ok()?;
        let mut all_known = true;
        work.each_session(&mut |id| match usize::try_from(id.0).ok().and_then(|n| self.sessions.get(n)) {
            Some(session) => *id = *session,
            None => all_known = false,
        });
        all_known.then_some(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Event, EventKind};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Comparison {
        events: Vec<Event>,
        of: Vec<SessionId>,
        share: f64,
        limit: u64,
    }

    impl ErrandContent for Comparison {
        const NAME: &'static str = "compare";

        fn events(&self) -> u64 {
            self.events.len() as u64
        }

        fn calls(&self) -> u64 {
            2
        }

        fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
            self.of.iter_mut().for_each(visit);
        }
    }

    /// With another name, though its content looks the same.
    #[derive(Debug, Serialize, Deserialize)]
    struct Other(Comparison);

    impl ErrandContent for Other {
        const NAME: &'static str = "other";

        fn events(&self) -> u64 {
            0
        }
    }

    fn comparison() -> Comparison {
        let of = [7, 3, 7, 9].map(SessionId).to_vec();
        let events = vec![Event { data: Some("ü\u{1}\"".into()), ..Event::global(EventKind::Edit) }];
        Comparison { events, of, share: 0.1, limit: u64::MAX }
    }

    #[test]
    fn work_comes_back_from_its_envelope() {
        let errand = Errand::new(comparison());
        assert_eq!((errand.name.as_str(), errand.events, errand.calls), ("compare", 1, 2));
        assert_eq!(errand.sessions, [7, 3, 9].map(SessionId));
        assert_eq!(errand.content::<Comparison>(), Some(comparison()));
        assert!(errand.content::<Other>().is_none());

        let stored = postcard::to_allocvec(&errand).expect("bytes");
        assert_eq!(postcard::from_bytes::<Errand>(&stored).expect("an errand"), errand);
        let json = serde_json::to_string(&errand).expect("JSON");
        assert!(json.contains("\"content\":{\"events\":[{"), "{json}");
        assert_eq!(serde_json::from_str::<Errand>(&json).expect("an errand"), errand);
    }

    #[test]
    fn sessions_are_numbered_anew_in_the_envelope_alone() {
        let mut errand = Errand::new(comparison());
        errand.sessions.iter_mut().for_each(|session| session.0 += 10);
        let moved = errand.content::<Comparison>().expect("work");
        assert_eq!(moved.of, [17, 13, 17, 19].map(SessionId));
        assert_eq!(Errand::new(moved), errand, "planned again after an import");
        errand.sessions.pop();
        assert!(errand.content::<Comparison>().is_none(), "a session is missing");
    }

    #[test]
    fn what_is_no_work_is_none() {
        for json in ["{}", "[]", "null", "{\"events\": 3}"] {
            let text = format!(
                "{{\"name\":\"compare\",\"events\":1,\"calls\":0,\"sessions\":[],\"content\":{json}}}"
            );
            let errand: Errand = serde_json::from_str(&text).expect("an envelope");
            assert!(errand.content::<Comparison>().is_none(), "{json}");
        }
    }
}
