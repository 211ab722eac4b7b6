//! The page to write a card.
//!
//! What is chosen and not saved yet lives in the page's variables: `kind` and `deck` as places in
//! their tables, `video` as `none`, `empty` or seconds.

use super::deck::{Card, CardId, DECKS, KINDS, Kind};
use super::{Action, CLOZE_EDIT, Cards};
use droidmux_sim_toolkit::{ActivityState, Color, Ctx, Icon, Screen, View};

pub(super) const FRONT: &str = "edit_front";
pub(super) const BACK: &str = "edit_back";

pub(super) fn view(app: &Cards, page: &ActivityState) -> Screen<Action> {
    let known = card(app, page);
    let title = if known.is_some() { "Edit card" } else { "Add card" };
    let mut body = View::column()
        .fill()
        .pad(8)
        .child(View::spinner("note_type_spinner", kind(page).name(), Action::AskKind).margin(0, 0, 0, 4))
        .child(View::spinner("note_deck_spinner", deck_name(deck(page)), Action::AskDeck).margin(0, 0, 0, 4));
    // The wrong editor asks the card's first type for its fields and finds it gone.
    let lost = app.errs(&CLOZE_EDIT, known.is_some_and(|c| c.converted && c.kind == Kind::Cloze));
    if !lost {
        body = body.child(View::field(FRONT, "Front")).child(View::field(BACK, "Back"));
    }
    let video = page.variable("video");
    body = match video {
        "" | "none" => body.child(View::button("add_video", "Add video", Action::AddVideo)),
        _ => {
            let text =
                if video == "empty" { "No video recorded".into() } else { format!("Video, {video} s") };
            let row = View::row()
                .id("video_row")
                .high(48)
                .child(View::label("video_state", text).share_width())
                .child(View::icon_button("record", Icon::Camera, "Record", Action::Record))
                .child(View::icon_button("remove_video", Icon::Close, "Remove video", Action::RemoveVideo));
            body.child(row)
        }
    };
    let screen = Screen::new(title, body).color(Color::BROWN).up();
    let screen = screen.action("action_save", Icon::Check, "Save", Action::Save);
    match known {
        Some(card) => screen.menu("Delete card", Action::AskDelete(card.id)),
        None => screen,
    }
}

fn card<'a>(app: &'a Cards, page: &ActivityState) -> Option<&'a Card> {
    page.argument_number().and_then(|id| app.cards.get(CardId(id)))
}

fn place(page: &ActivityState, name: &str) -> usize {
    page.variable(name).parse().unwrap_or(0)
}

fn kind(page: &ActivityState) -> Kind {
    KINDS.get(place(page, "kind")).copied().unwrap_or_default()
}

fn deck(page: &ActivityState) -> usize {
    place(page, "deck")
}

fn deck_name(deck: usize) -> &'static str {
    DECKS.get(deck).copied().unwrap_or_default()
}

/// Puts what is stored of the card on the page.
pub(super) fn fill(app: &Cards, ctx: &mut Ctx<'_, Action>) {
    let Some(card) = card(app, ctx.page()) else { return };
    ctx.set_field(FRONT, &card.front);
    ctx.set_field(BACK, &card.back);
    ctx.save("kind", KINDS.iter().position(|kind| *kind == card.kind).unwrap_or(0));
    ctx.save("deck", card.deck);
    ctx.save("video", card.video.map_or_else(|| "none".to_owned(), |seconds| seconds.to_string()));
}

/// Fills the fields as for a page that opens, whatever the system restored.
pub(super) fn fill_anew(app: &Cards, ctx: &mut Ctx<'_, Action>) {
    let (front, back) = stored(app, ctx.page());
    ctx.set_field(FRONT, front);
    ctx.set_field(BACK, back);
}

/// Whether the fields hold something other than the card.
pub(super) fn is_changed(app: &Cards, page: &ActivityState) -> bool {
    (page.field(FRONT), page.field(BACK)) != stored(app, page)
}

/// The sides of the card as they are stored.
fn stored<'a>(app: &'a Cards, page: &ActivityState) -> (&'a str, &'a str) {
    card(app, page).map_or(("", ""), |card| (&card.front, &card.back))
}

/// Whether the page has a video that was never recorded.
pub(super) fn has_empty_video(page: &ActivityState) -> bool {
    page.variable("video") == "empty"
}

/// The card as it is on the page; `None` when nothing is asked.
pub(super) fn read(app: &Cards, id: CardId, page: &ActivityState) -> Option<Card> {
    let known = card(app, page);
    let (front, back) = (page.field(FRONT).trim().to_owned(), page.field(BACK).trim().to_owned());
    let kind = kind(page);
    let changed = known.is_some_and(|card| card.converted || card.kind != kind);
    (!front.is_empty()).then(|| Card {
        id,
        deck: deck(page),
        kind,
        front,
        back,
        video: page.variable("video").parse().ok(),
        done: known.is_some_and(|card| card.done),
        shipped: known.is_some_and(|card| card.shipped),
        converted: changed,
    })
}

pub(super) fn ask_kind(ctx: &mut Ctx<'_, Action>) {
    ctx.popup((0..).zip(KINDS).map(|(n, kind)| (kind.name().to_owned(), Action::Kind(n))).collect());
}

pub(super) fn ask_deck(ctx: &mut Ctx<'_, Action>) {
    ctx.popup((0..).zip(DECKS).map(|(n, deck)| (deck.to_owned(), Action::Deck(n))).collect());
}
