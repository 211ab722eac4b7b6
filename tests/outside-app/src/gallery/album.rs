//! The page of one album, or of the favourites.

use droidmux::sim::toolkit::{
    ActivityState, Color, Ctx, Dialog, Extent, Icon, Moment, Screen, TextSize, View,
};

use super::library::{AlbumId, AlbumOrder, Order, Photo, PhotoId, Place};
use super::{Action, Gallery};
use crate::selection;

pub(super) fn view(gallery: &Gallery, page: &ActivityState) -> Screen<Action> {
    let place = place(page);
    let photos = gallery.library.photos(place, gallery.order);
    let chosen = gallery.chosen(None, page);
    let selected: Vec<PhotoId> =
        photos.iter().map(|photo| photo.id).filter(|id| chosen.contains(id)).collect();
    let body = if photos.is_empty() {
        View::empty("no_photos", "No photos here")
    } else {
        View::flow("photos").children(cells(gallery, place, &photos, &selected))
    };
    if !selected.is_empty() {
        let screen = Screen::new(format!("{} selected", selected.len()), body)
            .color(Color::BROWN)
            .action("close", Icon::Close, "End selection", Action::EndSelection)
            .action("favour", Icon::Star, "Make favourites", Action::FavourSelected)
            .action("delete", Icon::Delete, "Delete", Action::AskDelete(None));
        return screen
            .menu("Move to", Action::AskMove(None))
            .menu("Copy to", Action::AskCopy)
            .menu("Select all", Action::SelectAll);
    }
    let name = match place {
        Place::Favourites => "Favourites",
        Place::Album(id) => gallery.library.album(id).map_or("", |album| album.name.as_str()),
    };
    let screen = Screen::new(name, body)
        .subtitle(format!("{} in all", photos.len()))
        .color(Color::PURPLE)
        .up()
        .action("sort", Icon::Sort, "Sort", Action::AskOrder);
    offer(gallery, screen)
}

/// The photos, under their days where these are wanted.
fn cells(gallery: &Gallery, place: Place, photos: &[&Photo], selected: &[PhotoId]) -> Vec<View<Action>> {
    if !gallery.by_day {
        return photos.iter().map(|photo| cell(gallery, place, photo, selected)).collect();
    }
    let mut days: Vec<u64> = photos.iter().map(|photo| photo.day).collect();
    days.sort_unstable_by_key(|day| std::cmp::Reverse(*day));
    days.dedup();
    let group = |day: u64| {
        let of_day = photos.iter().filter(move |photo| photo.day == day);
        let heading = View::heading("day", day_text(day));
        std::iter::once(heading).chain(of_day.map(|photo| cell(gallery, place, photo, selected)))
    };
    days.into_iter().flat_map(group).collect()
}

fn cell(gallery: &Gallery, place: Place, photo: &Photo, selected: &[PhotoId]) -> View<Action> {
    let is_selected = selected.contains(&photo.id);
    let open = if selected.is_empty() { Action::Show(place, photo.id) } else { Action::Select(photo.id) };
    let mut cell = View::column()
        .id("photo")
        .size(Extent::Dp(116), Extent::Dp(104))
        .pad(6)
        .selected(is_selected)
        .on_click(open)
        .on_long_click(Action::Select(photo.id))
        .child(View::picture("thumbnail", photo.id.0, &photo.name));
    if gallery.names {
        cell = cell.child(View::label("photo_name", &photo.name).text_size(TextSize::Small));
    }
    if is_selected { cell.background(Color::LINE) } else { cell }
}

/// `Fri, 6 Mar`
pub(super) fn day_text(day: u64) -> String {
    Moment(0).plus_days(day).day_text()
}

/// Offers to take the last deletion back.
pub(super) fn offer(gallery: &Gallery, screen: Screen<Action>) -> Screen<Action> {
    match &gallery.undo {
        Some(photos) => {
            screen.snackbar(format!("{} in the recycle bin now", photos.len()), "Undo", Action::Undo)
        }
        None => screen,
    }
}

/// How a page is told its place.
pub(super) fn argument(place: Place) -> String {
    match place {
        Place::Favourites => "favourites".to_owned(),
        Place::Album(id) => id.0.to_string(),
    }
}

/// The place of a page.
pub(super) fn place(page: &ActivityState) -> Place {
    let told = page.argument().split(' ').next().unwrap_or_default();
    told.parse().map_or(Place::Favourites, |id| Place::Album(AlbumId(id)))
}

pub(super) fn select_all(gallery: &Gallery, ctx: &mut Ctx<'_, Action>) {
    let photos = gallery.library.photos(place(ctx.page()), gallery.order);
    let ids: Vec<u64> = photos.into_iter().map(|photo| photo.id.0).collect();
    selection::select(&ids, ctx);
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort by")
        .choice("Newest first", Action::Order(Order::Newest))
        .choice("Name", Action::Order(Order::Name))
        .choice("Largest first", Action::Order(Order::Largest));
    ctx.show(dialog);
}

/// Asks for an album other than that of the page; hidden ones only while they are shown.
pub(super) fn ask_target(
    gallery: &Gallery,
    action: impl Fn(AlbumId) -> Action,
    title: &str,
    ctx: &mut Ctx<'_, Action>,
) {
    let here = place(ctx.page());
    let targets = gallery.library.albums(AlbumOrder::Name, |album| {
        Place::Album(album.id) != here && (gallery.library.reveals || !album.hidden)
    });
    let dialog = targets
        .into_iter()
        .fold(Dialog::new(title), |dialog, album| dialog.choice(&album.name, action(album.id)));
    ctx.show(dialog.negative("Cancel"));
}

pub(super) fn ask_delete(gallery: &Gallery, one: Option<PhotoId>, ctx: &mut Ctx<'_, Action>) {
    let count = gallery.chosen(one, ctx.page()).len();
    let (title, message) = if gallery.uses_bin {
        ("Move to the recycle bin?", format!("{count} can be restored from there."))
    } else {
        ("Delete for good?", format!("{count} cannot be brought back."))
    };
    let dialog =
        Dialog::new(title).message(message).negative("Cancel").positive("Delete", Action::Delete(one));
    ctx.show(dialog);
}
