//! How the explorations of a session differ: in what they type and in how they end.

use droidmux_record::{Explore, Texts};

/// Gives every other exploration unique texts, and a share of those with a visit at the end.
#[derive(Clone, Debug)]
pub struct Variety {
    /// Percent that end with a visit.
    share: u32,
    planned: u64,
    /// Visits that are due, in hundredths.
    due: u32,
}

impl Variety {
    /// No exploration planned; `share` percent of them are to end with a visit.
    pub fn new(share: u32) -> Self {
        Self { share: share.min(100), planned: 0, due: 0 }
    }

    /// The next exploration, with its texts and its end. The visit is left out if there is no room for that many
    /// events, and waits for an exploration with unique texts: only for those is it known where they should be.
    pub fn next(&mut self, explore: Explore, has_room: impl FnOnce(u64) -> bool) -> Explore {
        // One, two, two, one: kinds of explorations that take turns get both.
        let unique = matches!(self.planned % 4, 1 | 2);
        self.planned += 1;
        self.due += self.share;
        let revisits = Explore {
            texts: if unique { Texts::Unique } else { Texts::Colliding },
            revisits: true,
            ..explore
        };
        let wanted = self.due >= 100 && (unique || self.due >= 300);
        if wanted && has_room(revisits.most_events()) {
            self.due -= 100;
            return revisits;
        }
        Explore { revisits: false, ..revisits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{Choice, Goal};

    #[test]
    fn half_type_unique_texts_and_a_share_ends_with_a_visit() {
        for (share, expected) in [(0, 0), (10, 20), (33, 66), (50, 100), (100, 200)] {
            let mut variety = Variety::new(share);
            let all: Vec<Explore> = (0..200)
                .map(|_| variety.next(Explore::new(Goal::Seed, Choice::Systematic, 15), |_| true))
                .collect();
            let unique = all.iter().filter(|explore| explore.texts == Texts::Unique).count();
            let revisits = all.iter().filter(|explore| explore.revisits).count();
            assert_eq!(unique, 100, "{share}");
            // One may still wait for unique texts in the end.
            assert!(revisits <= expected && revisits + 3 >= expected, "{share}: {revisits}");
        }
        let mut variety = Variety::new(100);
        let none =
            (0..9).map(|_| variety.next(Explore::new(Goal::Mine, Choice::Random, 15), |events| events < 20));
        assert!(none.into_iter().all(|explore| !explore.revisits), "there is no room for it");
    }
}
