//! The decks, the list of cards, studying, settings, about.

use super::deck::{Card, CardId, DECKS};
use super::{Action, Cards, EMPTY_TEMPLATE, MANIFEST, STALE_LIST};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Gravity, Icon, Screen, TextSize, View,
};

pub(super) fn decks(app: &Cards) -> Screen<Action> {
    let row = |(n, name): (usize, &&str)| {
        let due = app.cards.due(n).len();
        View::new("android.widget.RelativeLayout", Arrange::Row)
            .id("deck_row")
            .high(60)
            .pad_sides(16, 4)
            .on_click(Action::Study(n))
            .child(View::label("deckpicker_name", *name).share_width())
            .child(
                View::label("deckpicker_due", due.to_string())
                    .describe(format!("{due} due in {name}"))
                    .ink(Color::GREEN),
            )
    };
    let body = View::recycler("files").children(DECKS.iter().enumerate().map(row));
    let add =
        View::fab("fab_main", Icon::Add, "Add card", Action::New).at(Gravity::BottomEnd).margin(0, 0, 16, 16);
    Screen::new("Cards", body)
        .color(Color::BROWN)
        .over(add)
        .drawer("Decks", true, Action::Stay)
        .drawer("Card browser", false, Action::Browse)
        .drawer("Settings", false, Action::Settings)
        .drawer("About", false, Action::About)
}

/// All cards. The wrong list shows them as they were when the page was opened.
pub(super) fn browser(app: &Cards, page: &ActivityState) -> Screen<Action> {
    let query = page.field("search_src_text").trim().to_lowercase();
    let matches =
        |card: &&Card| app.cards.get(card.id).is_some() && card.front.to_lowercase().contains(&query);
    let right: Vec<&Card> = app.cards.all().iter().filter(matches).collect();
    let cards = app.defects.either(&STALE_LIST, right, || app.listed.iter().filter(matches).collect());
    let rows: Vec<View<Action>> = cards.into_iter().map(row).collect();
    let list = if rows.is_empty() {
        View::empty("empty_list", "No cards")
    } else {
        View::recycler("card_browser_list").children(rows)
    };
    let field = View::field("search_src_text", "Search cards");
    let body = View::column().fill().child(field).child(list.share_height());
    Screen::new("Card browser", body).color(Color::BROWN).up().action(
        "action_add",
        Icon::Add,
        "Add card",
        Action::New,
    )
}

fn row(card: &Card) -> View<Action> {
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("card_item_browser")
        .high(48)
        .pad_sides(16, 4)
        .on_click(Action::Edit(card.id))
        .on_long_click(Action::AskDelete(card.id))
        .child(View::label("card_sfld", &card.front).share_width())
        .child(View::label("card_kind", card.kind.name()).text_size(TextSize::Small).ink(Color::FAINT))
}

pub(super) fn ask_delete(card: CardId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Delete card?")
        .message("It will be deleted for good.")
        .negative("Cancel")
        .positive("Delete", Action::Delete(card));
    ctx.show(dialog);
}

/// One card after the other.
pub(super) fn study(app: &Cards, page: &ActivityState) -> Screen<Action> {
    let deck = page.argument().parse().unwrap_or(0);
    let title = DECKS.get(deck).copied().unwrap_or_default();
    let Some(card) = app.queue.first().and_then(|id| app.cards.get(*id)) else {
        let body = View::empty("studyoptions_congrats", "You have finished this deck for now");
        return Screen::new(title, body).color(Color::BROWN).up();
    };
    let (question, answer) = app.defects.either(&EMPTY_TEMPLATE, card.sides(false), || card.sides(true));
    let shown = !page.variable("answered").is_empty();
    let mut face = View::new("android.webkit.WebView", Arrange::Column)
        .id("flashcard")
        .share_height()
        .pad(16)
        .child(View::label("question", question).wide().multiline().text_size(TextSize::Title));
    if let Some(seconds) = card.video {
        face = face.child(View::label("video", format!("Video, {seconds} s")).ink(Color::BLUE));
    }
    let buttons = if shown {
        face = face.child(View::divider()).child(View::label("answer", answer).wide().multiline());
        View::row()
            .high(56)
            .child(View::button("flashcard_layout_ease1", "Again", Action::Again).share_width())
            .child(View::button("flashcard_layout_ease3", "Good", Action::Good).share_width())
    } else {
        View::row().high(56).child(View::button("show_answer", "Show answer", Action::Answer).share_width())
    };
    let left = if app.remaining { format!("{} left", app.queue.len()) } else { String::new() };
    Screen::new(title, View::column().fill().child(face).child(buttons))
        .color(Color::BROWN)
        .up()
        .subtitle(left)
        .action("action_edit", Icon::Pencil, "Edit card", Action::Edit(card.id))
}

pub(super) fn settings(app: &Cards) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Shuffle",
            "Ask the cards in another order each time",
            app.shuffle,
            Action::ToggleShuffle,
        ))
        .child(View::setting(
            "Show remaining",
            "The number of cards left",
            app.remaining,
            Action::ToggleRemaining,
        ))
        .child(View::preference("Reset all preferences", "Cards stay as they are", Action::AskReset));
    Screen::new("Settings", list).color(Color::BROWN).up()
}

pub(super) fn ask_reset(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Reset all preferences?")
        .message("All settings go back to what they were at first.")
        .negative("Cancel")
        .positive("Reset", Action::Reset);
    ctx.show(dialog);
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Cards {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().child(version)).color(Color::BROWN).up()
}
