//! Iteration over a span of keys, a page at a time: memory stays flat and no cursor of the
//! database lives longer than a call.

use std::collections::VecDeque;

use super::key::Span;
use super::{Store, StoreError};

const PAGE: usize = 128;

/// Reads the record under a key from its raw head; `None` skips it.
type Read<T> = fn(&Store, &[u8], &[u8]) -> Result<Option<T>, StoreError>;

/// Records in key order. After an error in the database itself it ends; a corrupt record yields an error in its place,
/// and the iteration continues.
pub struct Records<T> {
    store: Store,
    span: Span,
    after: Option<Vec<u8>>,
    page: VecDeque<(Vec<u8>, Vec<u8>)>,
    ended: bool,
    read: Read<T>,
}

impl<T> Records<T> {
    pub(super) fn new(store: &Store, span: Span, read: Read<T>) -> Self {
        Self { store: store.clone(), span, after: None, page: VecDeque::new(), ended: false, read }
    }

    fn fill(&mut self) -> Result<(), StoreError> {
        let after = self.after.as_deref();
        let page = self.store.inner.core.with(|engine| engine.page(&self.span, after, PAGE))?;
        self.ended = page.len() < PAGE;
        self.after = page.last().map(|(key, _)| key.clone());
        self.page = page.into();
        Ok(())
    }
}

impl<T> Iterator for Records<T> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, head)) = self.page.pop_front() {
                match (self.read)(&self.store, &key, &head).transpose() {
                    Some(record) => return Some(record),
                    None => continue,
                }
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.fill() {
                self.ended = true;
                return Some(Err(error));
            }
        }
    }
}
