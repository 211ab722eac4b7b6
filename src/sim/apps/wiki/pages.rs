//! Exploring, saved lists, search and history, which one activity shows in turn; articles and lists.

use super::library::{ARTICLES, List, ListId, search, title};
use super::{Action, MANIFEST, Wiki};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Extent, Gravity, Icon, Screen, TextSize, View,
};

/// The field of the search page.
pub(super) const QUERY: &str = "search_src_text";
/// The field of the search in saved lists.
pub(super) const FILTER: &str = "saved_search_text";
/// The field of the dialogs that ask for the name of a list.
pub(super) const NAME: &str = "text_input";

pub(super) fn main(wiki: &Wiki, page: &ActivityState, env: &Env) -> Screen<Action> {
    let tab = usize::try_from(page.number("tab")).unwrap_or(0);
    let (name, body) = match tab {
        1 => ("Saved", saved(wiki, page)),
        2 => ("Search", searching(wiki, page)),
        3 => ("History", history(wiki)),
        _ => ("Explore", explore(wiki, env)),
    };
    let items = [
        ("nav_tab_explore", "Explore", Icon::Globe, Action::Tab(0)),
        ("nav_tab_reading_lists", "Saved", Icon::Book, Action::Tab(1)),
        ("nav_tab_search", "Search", Icon::Search, Action::Tab(2)),
        ("nav_tab_history", "History", Icon::Repeat, Action::Tab(3)),
    ];
    let body = View::column().fill().child(body.share_height()).child(View::bottom_bar(tab, items));
    let screen = Screen::new(name, body).color(Color::INDIGO);
    let screen = match tab {
        0 => screen.action("menu_refresh", Icon::Refresh, "Refresh", Action::Refresh),
        1 => screen.action("menu_new_list", Icon::Add, "New list", Action::AskNew),
        3 => screen.menu("Clear history", Action::ClearHistory),
        _ => screen,
    };
    screen.menu("Settings", Action::Settings).menu("About", Action::About)
}

/// The article of the day and a random one.
fn explore(wiki: &Wiki, env: &Env) -> View<Action> {
    let drawn = usize::try_from(env.volatile(5).unwrap_or(0) % 6).unwrap_or(0);
    let random = (drawn + 1 + wiki.refreshes) % ARTICLES.len();
    View::recycler("feed_view")
        .child(View::heading("view_card_header_title", "Article of the day"))
        .child(row(wiki, 0))
        .child(View::heading("view_card_header_title", "Random article"))
        .child(row(wiki, random).id("view_random_article_card"))
}

fn row(wiki: &Wiki, article: usize) -> View<Action> {
    let text = ARTICLES.get(article).map_or("", |article| article.2);
    View::new("android.view.ViewGroup", Arrange::Column)
        .id("page_list_item")
        .high(60)
        .pad_sides(16, 6)
        .on_click(Action::Open(article))
        .child(View::label("page_list_item_title", title(article, wiki.german)))
        .child(View::label("page_list_item_description", text).text_size(TextSize::Small).ink(Color::FAINT))
}

fn saved(wiki: &Wiki, page: &ActivityState) -> View<Action> {
    let query = page.field(FILTER);
    let lists: Vec<&List> = if query.trim().is_empty() {
        wiki.library.lists().iter().collect()
    } else {
        wiki.library.find(query)
    };
    let list = if lists.is_empty() {
        View::empty(
            "empty_title",
            if query.trim().is_empty() { "No saved lists yet" } else { "No lists found" },
        )
    } else {
        View::recycler("reading_list_list").children(lists.into_iter().map(list_row))
    };
    View::column().child(View::field(FILTER, "Search my lists")).child(list.share_height())
}

fn list_row(list: &List) -> View<Action> {
    let count = match list.articles.len() {
        1 => "1 article".to_owned(),
        count => format!("{count} articles"),
    };
    let texts = View::column().share_width().child(View::label("item_title", &list.name)).child(
        View::label("item_statistical_description", count).text_size(TextSize::Small).ink(Color::FAINT),
    );
    View::row()
        .id("item_container")
        .high(60)
        .pad_sides(16, 4)
        .on_click(Action::OpenList(list.id))
        .on_long_click(Action::ListMenu(list.id))
        .child(texts)
        .child(View::icon_button(
            "item_overflow_menu",
            Icon::More,
            "More options for list",
            Action::ListMenu(list.id),
        ))
}

pub(super) fn list_menu(list: ListId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Rename".into(), Action::AskRename(list)),
        ("Delete list".into(), Action::DeleteList(list)),
    ]);
}

pub(super) fn ask_name(title: &str, text: &str, action: Action, ctx: &mut Ctx<'_, Action>) {
    ctx.show(
        Dialog::new(title).field(NAME, "Name of this list", text).negative("Cancel").positive("OK", action),
    );
}

fn searching(wiki: &Wiki, page: &ActivityState) -> View<Action> {
    let query = page.field(QUERY);
    let field = View::field(QUERY, "Search the encyclopedia").on_submit(Action::Search);
    let body = if query.trim().is_empty() {
        let recent = |query: &String| {
            View::label("recent_search", query).high(48).pad_sides(16, 10).on_click(Action::SearchAgain(
                wiki.library.recent.iter().position(|known| known == query).unwrap_or(0),
            ))
        };
        View::recycler("recent_searches_recycler")
            .child(View::heading("recent_searches", "Recent searches"))
            .children(wiki.library.recent.iter().map(recent))
    } else {
        let found = search(query, wiki.german);
        if found.is_empty() {
            View::empty("results_text", "No results")
        } else {
            View::recycler("search_results_list")
                .children(found.into_iter().map(|article| row(wiki, article)))
        }
    };
    View::column().child(field).child(body.share_height())
}

fn history(wiki: &Wiki) -> View<Action> {
    if wiki.library.read.is_empty() {
        return View::empty("history_empty_text", "Nothing was read yet");
    }
    let row = |(at, article): (usize, &usize)| {
        let name = title(*article, wiki.german);
        View::row()
            .id("history_item")
            .high(56)
            .pad_sides(16, 4)
            .on_click(Action::OpenRead(at))
            .child(View::label("page_list_item_title", name).share_width())
            .child(View::icon_button(
                "history_remove",
                Icon::Close,
                format!("Remove {name}"),
                Action::RemoveRead(at),
            ))
    };
    View::recycler("history_list").children(wiki.library.read.iter().enumerate().map(row))
}

pub(super) fn article(wiki: &Wiki, page: &ActivityState) -> Screen<Action> {
    let article = page.argument().parse().unwrap_or(0);
    let (icon, name, action) = if wiki.shows_saved(article) {
        (Icon::Star, "Saved", Action::Unsave(article))
    } else {
        (Icon::NoStar, "Save", Action::AskSave(article))
    };
    let text = ARTICLES.get(article).map_or("", |article| article.2);
    let next = (article + 1) % ARTICLES.len();
    let more = View::label("read_next", title(next, wiki.german)).high(48).pad_sides(0, 10).ink(Color::BLUE);
    let body = View::scroll("page_web_view")
        .pad(16)
        .child(View::label("page_title", title(article, wiki.german)).text_size(TextSize::Large))
        .child(View::label("page_text", text).wide().multiline().margin(0, 16, 0, 16))
        .child(View::heading("read_more", "Read next"))
        .child(more.on_click(Action::Open(next)));
    Screen::new("Article", body).color(Color::INDIGO).up().action("page_save", icon, name, action)
}

pub(super) fn ask_save(wiki: &Wiki, article: usize, ctx: &mut Ctx<'_, Action>) {
    let lists = wiki.library.lists().iter();
    let dialog = lists.fold(Dialog::new("Save to a list"), |dialog, list| {
        dialog.choice(&list.name, Action::Save { article, list: list.id })
    });
    ctx.show(dialog.negative("Cancel"));
}

pub(super) fn list(wiki: &Wiki, page: &ActivityState) -> Screen<Action> {
    let list = page.argument_number().and_then(|id| wiki.library.get(ListId(id)));
    let articles = list.map_or(&[][..], |list| &list.articles);
    let body = if articles.is_empty() {
        View::empty("reading_list_empty_text", "No articles in this list")
    } else {
        View::recycler("reading_list_recycler_view")
            .children(articles.iter().map(|article| row(wiki, *article)))
    };
    Screen::new(list.map_or("", |list| &list.name), body).color(Color::INDIGO).up()
}

pub(super) fn settings(wiki: &Wiki) -> Screen<Action> {
    let language = if wiki.german { "German" } else { "English" };
    let list = View::recycler("recycler_view")
        .child(View::preference("Language", language, Action::AskLanguage))
        .child(View::setting("Keep history", "Of what is read", wiki.keeps_history, Action::ToggleHistory));
    Screen::new("Settings", list).color(Color::INDIGO).up()
}

pub(super) fn ask_language(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Language")
        .choice("English", Action::Language { german: false })
        .choice("German", Action::Language { german: true });
    ctx.show(dialog);
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Wiki {}", MANIFEST.version_name)).at(Gravity::Center);
    let body = View::frame().size(Extent::Fill, Extent::Fill).child(version);
    Screen::new("About", body).color(Color::INDIGO).up()
}
