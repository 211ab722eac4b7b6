//! Looking up, bookmarks, history and dictionaries, which one activity shows in turn; the article.

use super::lexicon::{DICTIONARIES, Matching, WORDS, look_up, word, words};
use super::{Action, MANIFEST, Reader, SYMBOLS};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Extent, Gravity, Icon, Screen, TextSize, View,
};

/// The field to look words up.
pub(super) const QUERY: &str = "search_src_text";
/// The field that narrows the bookmarks.
pub(super) const FILTER: &str = "bookmarks_filter";

pub(super) fn main(reader: &Reader, page: &ActivityState) -> Screen<Action> {
    let tab = usize::try_from(page.number("tab")).unwrap_or(0);
    let tabs = [
        ("Lookup", Action::Tab(0)),
        ("Bookmarks", Action::Tab(1)),
        ("History", Action::Tab(2)),
        ("Dictionaries", Action::Tab(3)),
    ];
    let body = match tab {
        1 => bookmarks(reader, page),
        2 => history(reader),
        3 => dictionaries(reader),
        _ => lookup(reader, page),
    };
    let body = View::column().fill().child(View::tabs("tabs", tab, tabs)).child(body.share_height());
    let screen = Screen::new("Dictionary", body)
        .color(Color::BROWN)
        .action("action_random", Icon::Shuffle, "Random word", Action::Random)
        .menu("Settings", Action::Settings)
        .menu("About", Action::About);
    match &reader.undo {
        Some((_, bookmark)) => {
            screen.snackbar(format!("{} removed", word(bookmark.word)), "Undo", Action::Undo)
        }
        None => screen,
    }
}

/// Those among these words that begin with the query.
fn found(reader: &Reader, words: Vec<usize>, query: &str) -> Vec<usize> {
    let right = look_up(words.clone(), query, Matching::Exact);
    reader.defects.either(&SYMBOLS, right, || look_up(words, query, Matching::Letters))
}

fn lookup(reader: &Reader, page: &ActivityState) -> View<Action> {
    let query = page.field(QUERY);
    let list = if query.trim().is_empty() {
        View::empty("empty_view", "Enter a word to look it up")
    } else {
        let found = found(reader, words(reader.enabled), query);
        list(found.into_iter().map(|n| row(n, Action::Open(n), None)).collect(), "Nothing found")
    };
    View::column().child(View::field(QUERY, "Look up")).child(list.share_height())
}

fn list(rows: Vec<View<Action>>, empty: &str) -> View<Action> {
    if rows.is_empty() { View::empty("empty_view", empty) } else { View::list("blob_list").children(rows) }
}

fn row(n: usize, open: Action, remove: Option<Action>) -> View<Action> {
    let dictionary = WORDS.get(n).and_then(|word| DICTIONARIES.get(word.1)).copied().unwrap_or_default();
    let texts = View::column().share_width().child(View::label("blob_descriptor_key", word(n))).child(
        View::label("blob_descriptor_source", dictionary).text_size(TextSize::Small).ink(Color::FAINT),
    );
    let row = View::new("android.widget.RelativeLayout", Arrange::Row)
        .id("blob_descriptor")
        .high(56)
        .pad_sides(16, 4)
        .on_click(open)
        .child(texts);
    match remove {
        Some(action) => {
            row.child(View::icon_button("remove", Icon::Delete, format!("Remove {}", word(n)), action))
        }
        None => row,
    }
}

fn bookmarks(reader: &Reader, page: &ActivityState) -> View<Action> {
    let marked: Vec<usize> = reader.bookmarks.iter().map(|bookmark| bookmark.word).collect();
    let shown = found(reader, marked.clone(), page.field(FILTER));
    let at = |n: usize| marked.iter().position(|word| *word == n).unwrap_or(0);
    let rows = shown.into_iter().map(|n| row(n, Action::OpenBookmark(at(n)), Some(Action::Unmark(n))));
    let empty = if marked.is_empty() { "No bookmarks" } else { "Nothing found" };
    View::column().child(View::field(FILTER, "Filter")).child(list(rows.collect(), empty).share_height())
}

fn history(reader: &Reader) -> View<Action> {
    list(
        reader.history.iter().map(|n| row(*n, Action::Open(*n), None)).collect(),
        "Nothing was looked up yet",
    )
}

fn dictionaries(reader: &Reader) -> View<Action> {
    let row = |(n, name): (usize, &&str)| {
        let on = reader.enabled.get(n) == Some(&true);
        let count = WORDS.iter().filter(|word| word.1 == n).count();
        View::setting(name, &format!("{count} words"), on, Action::ToggleDictionary(n)).id("dictionary_item")
    };
    View::list("dictionary_list").children(DICTIONARIES.iter().enumerate().map(row))
}

pub(super) fn article(reader: &Reader, page: &ActivityState) -> Screen<Action> {
    let n = page.argument().parse().unwrap_or(0);
    let marked = reader.bookmarks.iter().any(|bookmark| bookmark.word == n);
    let meaning = WORDS.get(n).map_or("", |word| word.2);
    let size = [TextSize::Small, TextSize::Body, TextSize::Title, TextSize::Large];
    let size = size.get(reader.zoom).copied().unwrap_or_default();
    let body = View::new("android.webkit.WebView", Arrange::Column)
        .id("webView")
        .fill()
        .pad(16)
        .child(View::label("article_title", word(n)).text_size(TextSize::Large))
        .child(View::label("article_text", meaning).wide().multiline().text_size(size).margin(0, 16, 0, 0))
        .child(View::label("article_zoom", format!("Text size {}", reader.zoom + 1)).ink(Color::FAINT));
    let (icon, name, action) = if marked {
        (Icon::Star, "Remove bookmark", Action::Unmark(n))
    } else {
        (Icon::NoStar, "Bookmark", Action::Mark(n))
    };
    Screen::new(word(n), body)
        .color(Color::BROWN)
        .up()
        .action("action_bookmark_article", icon, name, action)
        .menu("Text size", Action::AskZoom)
}

pub(super) fn ask_zoom(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Text size")
        .choice("Zoom in", Action::Zoom(true))
        .choice("Zoom out", Action::Zoom(false))
        .negative("Cancel");
    ctx.show(dialog);
}

pub(super) fn settings(reader: &Reader) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Keep history",
            "Of words looked up",
            reader.keeps_history,
            Action::ToggleHistory,
        ))
        .child(View::preference("Clear history", "Forgets every word", Action::ClearHistory));
    Screen::new("Settings", list).color(Color::BROWN).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Dictionary {}", MANIFEST.version_name)).at(Gravity::Center);
    let body = View::frame().size(Extent::Fill, Extent::Fill).child(version);
    Screen::new("About", body).color(Color::BROWN).up()
}
