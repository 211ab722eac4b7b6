//! The data model D: what the app should know, by type of object.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;

use crate::text;

/// A multiset of objects for each type; an object is the text that shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataModel {
    /// In the order they were added; types without objects are left out.
    objects: BTreeMap<String, Vec<String>>,
}

/// What a function did to the data model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The object that is one more.
    Added(String),
    /// The object that is one less.
    Removed(String),
    /// All objects of the type are gone, one at least.
    Cleared,
    /// It was there already, or not there to be removed.
    None,
}

impl DataModel {
    /// The objects of a type, in the order they were added.
    pub fn objects(&self, datatype: &str) -> &[String] {
        self.objects.get(datatype).map_or(&[], Vec::as_slice)
    }

    /// d ∈ D, by the exact text.
    pub fn has(&self, datatype: &str, object: &str) -> bool {
        self.objects(datatype).iter().any(|known| known == object)
    }

    /// One of the objects, at random; `None` when there is none.
    pub fn any(&self, datatype: &str, rng: &mut ChaCha8Rng) -> Option<&str> {
        text::any(self.objects(datatype), rng)
    }

    /// D ∪ {d}
    pub fn add(&mut self, datatype: &str, object: &str) -> Change {
        self.objects.entry(datatype.to_owned()).or_default().push(object.to_owned());
        Change::Added(object.to_owned())
    }

    /// D ∪ {d}, unless d is there.
    pub fn add_once(&mut self, datatype: &str, object: &str) -> Change {
        if self.has(datatype, object) { Change::None } else { self.add(datatype, object) }
    }

    /// D ∖ {d}: if several objects are equal, one goes; if there is none, nothing changes.
    pub fn remove(&mut self, datatype: &str, object: &str) -> Change {
        let Some(objects) = self.objects.get_mut(datatype) else { return Change::None };
        let Some(at) = objects.iter().position(|known| known == object) else { return Change::None };
        let removed = objects.remove(at);
        if objects.is_empty() {
            self.objects.remove(datatype);
        }
        Change::Removed(removed)
    }

    /// D = ∅, for this type alone.
    pub fn clear(&mut self, datatype: &str) -> Change {
        match self.objects.remove(datatype) {
            Some(_) => Change::Cleared,
            None => Change::None,
        }
    }
}

impl Change {
    /// `+ tea`, `− tea`, `cleared`; nothing for no change.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Added(object) => Some(format!("+ {object:?}")),
            Self::Removed(object) => Some(format!("− {object:?}")),
            Self::Cleared => Some("cleared".into()),
            Self::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiset_for_each_type() {
        // what is done to the notes, and what is there then
        let mut model = DataModel::default();
        for (what, object, objects) in [
            ("add", "tea", "tea"),
            ("add", "tea", "tea tea"),
            ("once", "tea", "tea tea"),
            ("once", "milk", "tea tea milk"),
            ("remove", "tea", "tea milk"),
            ("remove", "beer", "tea milk"),
            ("remove", "tea", "milk"),
            ("clear", "", ""),
            ("remove", "milk", ""),
        ] {
            let change = match what {
                "add" => model.add("note", object),
                "once" => model.add_once("note", object),
                "remove" => model.remove("note", object),
                _ => model.clear("note"),
            };
            assert_eq!(model.objects("note").join(" "), objects, "{what} {object}: {change:?}");
            assert!(model.objects("task").is_empty());
        }
        assert_eq!(model, DataModel::default(), "nothing is left of an empty type");
    }
}
