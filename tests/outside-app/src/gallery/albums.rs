//! The page of all albums.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Extent, Screen, TextSize, View};

use super::declared::{COUNT_STALE, SEARCH_HIDDEN};
use super::library::{Album, AlbumId, AlbumOrder, Order, Photo, Place};
use super::{Action, Gallery, NAME, album};

/// The search of the toolbar.
const QUERY: &str = "photo_search";

pub(super) fn view(gallery: &Gallery, page: &ActivityState) -> Screen<Action> {
    let body = match page.query(QUERY) {
        Some("") => View::empty("search_hint", "Search photos by their names"),
        Some(query) => results(gallery, query),
        None => grid(gallery),
    };
    let screen = Screen::new("Albums", body)
        .color(Color::PURPLE)
        .search(QUERY, "Name of a photo")
        .menu("Sort albums", Action::AskAlbumOrder)
        .menu_check("Show hidden", gallery.library.reveals, Action::ToggleReveal)
        .menu("New album", Action::AskAlbumName(None))
        .menu("Recycle bin", Action::Bin)
        .menu("Settings", Action::Settings);
    album::offer(gallery, screen)
}

fn grid(gallery: &Gallery) -> View<Action> {
    let shown = gallery.library.albums(gallery.album_order, |album| gallery.library.reveals || !album.hidden);
    let favourites = gallery.library.photos(Place::Favourites, Order::Newest);
    if shown.is_empty() && favourites.is_empty() {
        return View::empty("no_albums", "No albums");
    }
    let starred = favourites.first().map(|cover| {
        cell("Favourites", cover.id.0, favourites.len(), "").on_click(Action::Album(Place::Favourites))
    });
    let cells = shown.into_iter().map(|album| album_cell(gallery, album));
    View::flow("albums").children(starred.into_iter().chain(cells))
}

fn album_cell(gallery: &Gallery, album: &Album) -> View<Action> {
    let place = Place::Album(album.id);
    let photos = gallery.library.photos(place, Order::Newest);
    let count = gallery.defects.either(&COUNT_STALE, photos.len(), || album.counted);
    let mark = match (album.pinned, album.hidden) {
        (true, true) => "Pinned, hidden",
        (true, false) => "Pinned",
        (false, true) => "Hidden",
        (false, false) => "",
    };
    cell(&album.name, photos.first().map_or(0, |photo| photo.id.0), count, mark)
        .on_click(Action::Album(place))
        .on_long_click(Action::AlbumMenu(album.id))
}

fn cell(name: &str, cover: u64, count: usize, mark: &str) -> View<Action> {
    let count = match count {
        0 => "Empty".to_owned(),
        1 => "1 photo".to_owned(),
        count => format!("{count} photos"),
    };
    let about = if mark.is_empty() { count } else { format!("{count}, {mark}") };
    View::column()
        .id("album")
        .size(Extent::Dp(172), Extent::Dp(136))
        .pad(8)
        .child(View::picture("cover", cover, format!("Cover of {name}")))
        .child(View::label("album_name", name))
        .child(View::label("album_about", about).text_size(TextSize::Small).ink(Color::FAINT))
}

/// What a search finds in each album.
fn results(gallery: &Gallery, query: &str) -> View<Action> {
    let query = query.to_lowercase();
    let found = |album: &Album| {
        gallery
            .library
            .sorted(gallery.order, |p| p.album == album.id && p.name.to_lowercase().contains(&query))
    };
    let searched = |album: &Album| {
        let open = gallery.library.reveals || !album.hidden;
        // The wrong search asks no album whether it is hidden.
        open || gallery.defects.strikes(&SEARCH_HIDDEN, !found(album).is_empty())
    };
    let albums = gallery.library.albums(gallery.album_order, searched);
    let groups: Vec<(&Album, Vec<&Photo>)> =
        albums.into_iter().map(|album| (album, found(album))).filter(|(_, list)| !list.is_empty()).collect();
    if groups.is_empty() {
        return View::empty("nothing_found", "Nothing found");
    }
    let rows = groups.into_iter().flat_map(|(album, photos)| {
        let place = Place::Album(album.id);
        let row = move |photo: &Photo| {
            View::row()
                .id("result")
                .high(56)
                .pad_sides(16, 4)
                .on_click(Action::Show(place, photo.id))
                .child(View::picture("thumbnail", photo.id.0, "").size(Extent::Dp(48), Extent::Dp(48)))
                .child(View::label("result_name", &photo.name).share_width())
        };
        std::iter::once(View::heading("heading", &album.name)).chain(photos.into_iter().map(row))
    });
    View::recycler("results").children(rows)
}

pub(super) fn menu(gallery: &Gallery, id: AlbumId, ctx: &mut Ctx<'_, Action>) {
    let Some(album) = gallery.library.album(id) else { return };
    ctx.popup(vec![
        (if album.pinned { "Unpin" } else { "Pin" }.into(), Action::Pin(id)),
        (if album.hidden { "Unhide" } else { "Hide" }.into(), Action::Hide(id)),
        ("Rename".into(), Action::AskAlbumName(Some(id))),
        ("Delete".into(), Action::AskDeleteAlbum(id)),
    ]);
}

pub(super) fn ask_name(gallery: &Gallery, id: Option<AlbumId>, ctx: &mut Ctx<'_, Action>) {
    let known = id.and_then(|id| gallery.library.album(id)).map_or("", |album| album.name.as_str());
    let dialog = Dialog::new(if id.is_some() { "Rename album" } else { "New album" })
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::AlbumName(id));
    ctx.show(dialog);
}

pub(super) fn ask_delete(gallery: &Gallery, id: AlbumId, ctx: &mut Ctx<'_, Action>) {
    let name = gallery.library.album(id).map_or("", |album| album.name.as_str());
    let what = if gallery.uses_bin { "go to the recycle bin" } else { "are deleted for good" };
    let dialog = Dialog::new(format!("Delete {name}?"))
        .message(format!("Its photos {what}."))
        .negative("Cancel")
        .positive("Delete", Action::DeleteAlbum(id));
    ctx.show(dialog);
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort albums")
        .choice("Name", Action::AlbumOrder(AlbumOrder::Name))
        .choice("Most photos first", Action::AlbumOrder(AlbumOrder::MostPhotos));
    ctx.show(dialog);
}
