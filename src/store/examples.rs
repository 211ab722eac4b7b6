//! Examples for language models: they belong to no session, and outlive those they came from.

use std::collections::HashSet;

use super::core::Reserve;
use super::engine::Write;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_record::{Example, ExampleId, ExampleKind};

impl Store {
    /// Stores examples, all or none; what says the same is stored once, with where it is from first.
    /// How many are new.
    ///
    /// # Errors
    /// When the disk is nearly full, or the database fails.
    pub fn put_examples(&self, examples: &[Example]) -> Result<usize, StoreError> {
        self.change_examples(&[], examples)
    }

    /// Removes examples; those that are not there are removed already.
    ///
    /// # Errors
    /// When the database fails.
    pub fn remove_examples(&self, examples: &[Example]) -> Result<(), StoreError> {
        let writes = examples.iter().map(|example| Write::Remove(key_of(example))).collect();
        self.write(writes, Reserve::Cleaning)
    }

    /// Stores an example in place of another, in one step.
    ///
    /// # Errors
    /// When the disk is nearly full, or the database fails.
    pub fn replace_example(&self, old: &Example, new: &Example) -> Result<(), StoreError> {
        self.change_examples(std::slice::from_ref(old), std::slice::from_ref(new)).map(|_| ())
    }

    /// The examples of one kind, or of all, in an order that depends on nothing but them.
    pub fn examples(&self, kind: Option<ExampleKind>) -> Records<Example> {
        Records::new(self, key::examples(kind), |store, key, head| store.record(key, head).map(Some))
    }

    fn change_examples(&self, old: &[Example], new: &[Example]) -> Result<usize, StoreError> {
        let known = self.examples(None).map(|example| example.map(|example| example.id()));
        let mut known = known.collect::<Result<HashSet<ExampleId>, _>>()?;
        let mut writes = Vec::new();
        for example in old {
            known.remove(&example.id());
            if !new.iter().any(|new| new.id() == example.id()) {
                writes.push(Write::Remove(key_of(example)));
            }
        }
        let mut added = 0;
        for example in new.iter().filter(|example| known.insert(example.id())) {
            writes.push(Write::of(key_of(example), example)?);
            added += 1;
        }
        self.write(writes, Reserve::Recording)?;
        Ok(added)
    }
}

fn key_of(example: &Example) -> Key {
    Key::Example(example.kind(), example.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreOptions;
    use droidmux_record::{BugExample, InputExample};

    #[test]
    fn examples_are_stored_once_replaced_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = StoreOptions { min_free: 0, ballast: 0, create: true, ..StoreOptions::default() };
        let store = Store::open(folder.path(), options.clone()).expect("a store");
        let input = |context: &str| {
            let text = "x".repeat(60_000);
            Example::Input(InputExample { context: context.into(), input: text, ..InputExample::default() })
        };
        let bug = Example::Bug(BugExample { activity: "Main".into(), ..BugExample::default() });
        let all = [input("one"), bug.clone(), input("two"), input("one")];
        assert_eq!(store.put_examples(&all).expect("stored"), 3);
        assert_eq!(store.put_examples(&all).expect("stored"), 0);
        store.replace_example(&input("two"), &input("three")).expect("replaced");
        let later = |from: &str| {
            Example::Bug(BugExample { activity: "Main".into(), from: from.into(), ..BugExample::default() })
        };
        assert_eq!(
            store.put_examples(&[later("s2-00000001")]).expect("stored"),
            0,
            "where from says nothing new"
        );
        drop(store);

        let store = Store::open(folder.path(), options).expect("a store");
        let stored = |kind| {
            let mut all = store.examples(kind).collect::<Result<Vec<_>, _>>().expect("read");
            all.sort();
            all
        };
        assert_eq!(stored(None), [input("one"), input("three"), bug.clone()]);
        assert_eq!(stored(Some(ExampleKind::Bug)), std::slice::from_ref(&bug));
        store.replace_example(&bug, &later("s3-00000001")).expect("replaced");
        assert_eq!(stored(Some(ExampleKind::Bug)), [later("s3-00000001")]);
        store.remove_examples(&[bug, input("two")]).expect("removed");
        assert_eq!(stored(None), [input("one"), input("three")]);
        let report = store.verify().expect("verified");
        assert!(report.problems.is_empty(), "{:?}", report.problems);
    }
}
