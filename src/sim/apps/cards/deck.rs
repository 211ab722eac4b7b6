//! The flash cards.

#[derive(Clone, Debug)]
pub(super) struct Cards {
    cards: Vec<Card>,
    next: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CardId(pub u64);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Card {
    pub id: CardId,
    /// A place in [`DECKS`].
    pub deck: usize,
    pub kind: Kind,
    pub front: String,
    pub back: String,
    /// Seconds of the video; `None` without one.
    pub video: Option<u32>,
    /// Answered well, so not due again today.
    pub done: bool,
    /// Came with the app.
    pub shipped: bool,
    /// The type was changed after the card was made.
    pub converted: bool,
}

/// The type of a card: which of its fields is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Basic,
    /// The back is asked.
    Reversed,
    /// What stands in `[[` and `]]` is asked.
    Cloze,
}

pub(super) const DECKS: [&str; 3] = ["Default", "Rivers", "Tools"];
pub(super) const KINDS: [Kind; 3] = [Kind::Basic, Kind::Reversed, Kind::Cloze];

const FIRST: [(usize, Kind, &str, &str); 6] = [
    (1, Kind::Basic, "Vienna", "Danube"),
    (1, Kind::Basic, "Cairo", "Nile"),
    (1, Kind::Basic, "Baghdad", "Tigris"),
    (2, Kind::Basic, "Cuts wood", "Saw"),
    (2, Kind::Cloze, "A [[plane]] smooths wood", ""),
    (2, Kind::Reversed, "Vice", "Holds things"),
];

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Basic => "Basic",
            Self::Reversed => "Reversed",
            Self::Cloze => "Cloze",
        }
    }
}

impl Card {
    /// What is asked, and what the answer is.
    ///
    /// A cloze without a gap asks its whole text; the `strict` template finds nothing to show.
    pub(super) fn sides(&self, strict: bool) -> (String, String) {
        let gap = self.front.split_once("[[").and_then(|(before, rest)| {
            let (hidden, after) = rest.split_once("]]")?;
            Some((format!("{before}[…]{after}"), hidden.to_owned()))
        });
        match (self.kind, gap) {
            (Kind::Basic, _) => (self.front.clone(), self.back.clone()),
            (Kind::Reversed, _) => (self.back.clone(), self.front.clone()),
            (Kind::Cloze, Some(sides)) => sides,
            (Kind::Cloze, None) if strict => (String::new(), String::new()),
            (Kind::Cloze, None) => (self.front.clone(), self.back.clone()),
        }
    }
}

impl Cards {
    pub(super) fn new() -> Self {
        let mut cards = Self { cards: Vec::new(), next: 1 };
        for (deck, kind, front, back) in FIRST {
            let id = cards.new_id();
            let (front, back) = (front.into(), back.into());
            let card = Card {
                id,
                deck,
                kind,
                front,
                back,
                video: None,
                done: false,
                shipped: true,
                converted: false,
            };
            cards.put(card);
        }
        cards
    }

    pub(super) fn all(&self) -> &[Card] {
        &self.cards
    }

    pub(super) fn get(&self, id: CardId) -> Option<&Card> {
        self.cards.iter().find(|card| card.id == id)
    }

    pub(super) fn new_id(&mut self) -> CardId {
        self.next += 1;
        CardId(self.next - 1)
    }

    /// Adds a card, or replaces the one with the same number.
    pub(super) fn put(&mut self, card: Card) {
        match self.cards.iter_mut().find(|known| known.id == card.id) {
            Some(known) => *known = card,
            None => self.cards.push(card),
        }
    }

    pub(super) fn delete(&mut self, id: CardId) {
        self.cards.retain(|card| card.id != id);
    }

    /// Leaves only what came with the app.
    pub(super) fn keep_shipped(&mut self) {
        self.cards.retain(|card| card.shipped);
    }

    pub(super) fn answer_well(&mut self, id: CardId) {
        if let Some(card) = self.cards.iter_mut().find(|card| card.id == id) {
            card.done = true;
        }
    }

    /// The cards of a deck still to be answered today.
    pub(super) fn due(&self, deck: usize) -> Vec<CardId> {
        self.cards.iter().filter(|card| card.deck == deck && !card.done).map(|card| card.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_asks_another_side() {
        let cases = [
            (Kind::Basic, "a", "b", false, ("a", "b")),
            (Kind::Reversed, "a", "b", false, ("b", "a")),
            (Kind::Cloze, "x [[y]] z", "", true, ("x […] z", "y")),
            (Kind::Cloze, "a", "b", false, ("a", "b")),
            (Kind::Cloze, "a [[b", "b", true, ("", "")),
        ];
        for (kind, front, back, strict, (asked, answer)) in cases {
            let mut card = Cards::new().cards.remove(0);
            (card.kind, card.front, card.back) = (kind, front.into(), back.into());
            assert_eq!(card.sides(strict), (asked.into(), answer.into()), "{kind:?} {front}");
        }
    }
}
