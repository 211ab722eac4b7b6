//! The undo that is offered after a deletion, until the next action: beside
//! [`Screen::snackbar`](super::Screen::snackbar).

/// What was deleted last and its place, while it can be brought back.
#[derive(Clone, Debug)]
pub struct Undo<T>(Option<(usize, T)>);

impl<T> Default for Undo<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Undo<T> {
    /// Deletes the first item in the list for which this holds; nothing happens when there is none.
    pub fn delete(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool) -> Self {
        Self(list.iter().position(is_it).map(|at| (at, list.remove(at))))
    }

    /// Brings it back to its place, or to the end of a list that has become shorter.
    pub fn bring_back(self, list: &mut Vec<T>) {
        if let Some((at, item)) = self.0 {
            list.insert(at.min(list.len()), item);
        }
    }

    /// What would come back.
    pub fn item(&self) -> Option<&T> {
        self.0.as_ref().map(|(_, item)| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deleted_comes_back_to_its_place() {
        let mut list = vec!['a', 'b', 'c'];
        let undo = Undo::delete(&mut list, |item| *item == 'b');
        assert_eq!((list.as_slice(), undo.item()), (['a', 'c'].as_slice(), Some(&'b')));
        undo.bring_back(&mut list);
        assert_eq!(list, ['a', 'b', 'c']);
        let undo = Undo::delete(&mut list, |item| *item == 'c');
        list.truncate(1);
        undo.bring_back(&mut list);
        assert_eq!(list, ['a', 'c']);
        let none = Undo::delete(&mut list, |item| *item == 'x');
        assert_eq!(none.item(), None);
        none.bring_back(&mut list);
        assert_eq!(list, ['a', 'c']);
    }
}
