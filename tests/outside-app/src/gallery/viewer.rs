//! The page that shows one photo after the other, and what is known of a photo.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::declared::SORTED_NEXT;
use super::library::{Order, Photo, PhotoId, Place};
use super::{Action, Gallery, NAME, album};

/// Notes what the page steps through: the photos of its place as they are now.
pub(super) fn begin(gallery: &Gallery, ctx: &mut Ctx<'_, Action>) {
    let place = album::place(ctx.page());
    let ids = |order| -> Vec<String> {
        gallery.library.photos(place, order).iter().map(|photo| photo.id.0.to_string()).collect()
    };
    // The wrong page does not know what order was chosen.
    let list = gallery.defects.either(&SORTED_NEXT, ids(gallery.order), || ids(Order::Newest));
    ctx.save("list", list.join(","));
}

/// The photo that the page was opened with.
pub(super) fn opened(page: &ActivityState) -> Option<PhotoId> {
    page.argument().split(' ').nth(1)?.parse().ok().map(PhotoId)
}

/// The photo that the page shows.
pub(super) fn current(page: &ActivityState) -> Option<PhotoId> {
    page.variable("photo").parse().ok().map(PhotoId).or(opened(page))
}

/// What is left of the photos that the page steps through.
pub(super) fn list(gallery: &Gallery, page: &ActivityState) -> Vec<PhotoId> {
    let ids = page.variable("list").split(',').filter_map(|id| id.parse().ok().map(PhotoId));
    let belongs = |photo: &Photo| match album::place(page) {
        Place::Album(album) => photo.album == album,
        Place::Favourites => true,
    };
    let is_there = |id: &PhotoId| gallery.library.get(*id).is_some_and(|p| p.binned.is_none() && belongs(p));
    ids.filter(is_there).collect()
}

/// The place of the photo that is shown among them.
pub(super) fn position(gallery: &Gallery, page: &ActivityState) -> Option<usize> {
    let current = current(page)?;
    list(gallery, page).iter().position(|id| *id == current)
}

pub(super) fn view(gallery: &Gallery, page: &ActivityState) -> Screen<Action> {
    let list = list(gallery, page);
    let at = position(gallery, page);
    let photo = current(page).filter(|_| at.is_some()).and_then(|id| gallery.library.get(id));
    let (Some(photo), Some(at)) = (photo, at) else {
        return Screen::new("Photo", View::empty("gone", "This photo is not here any more"))
            .color(Color::PURPLE)
            .up();
    };
    let before = at.checked_sub(1).and_then(|at| list.get(at).copied());
    let after = list.get(at + 1).copied();
    let step = |to: Option<PhotoId>| Action::Step(to.unwrap_or(photo.id));
    let steps = View::row()
        .high(56)
        .child(
            View::icon_button("previous", Icon::Back, "Previous photo", step(before))
                .enabled(before.is_some()),
        )
        .child(View::label("position", format!("{} of {}", at + 1, list.len())).share_width().centered())
        .child(View::icon_button("next", Icon::Next, "Next photo", step(after)).enabled(after.is_some()));
    let picture = View::picture("picture", photo.id.0, &photo.name).share_height();
    let body = View::column()
        .fill()
        .child(View::frame().share_height().on_swipe(step(after), step(before)).child(picture.fill()))
        .child(
            View::label("caption", album::day_text(photo.day)).wide().centered().text_size(TextSize::Small),
        )
        .child(steps);
    let (icon, name) =
        if photo.favourite { (Icon::Star, "Favourite") } else { (Icon::NoStar, "No favourite") };
    let screen = Screen::new(&photo.name, body)
        .color(Color::INK)
        .up()
        .action("favourite", icon, name, Action::Favour(photo.id))
        .action("delete", Icon::Delete, "Delete", Action::AskDelete(Some(photo.id)))
        .menu("Rename", Action::AskName(photo.id))
        .menu("Move to", Action::AskMove(Some(photo.id)))
        .menu("Details", Action::Details(photo.id));
    album::offer(gallery, screen)
}

pub(super) fn ask_name(gallery: &Gallery, id: PhotoId, ctx: &mut Ctx<'_, Action>) {
    let known = gallery.library.get(id).map_or("", |photo| photo.name.as_str());
    let dialog = Dialog::new("Rename photo")
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::Name(id));
    ctx.show(dialog);
}

pub(super) fn details(gallery: &Gallery, page: &ActivityState) -> Screen<Action> {
    let Some(photo) = page.argument_number().and_then(|id| gallery.library.get(PhotoId(id))) else {
        return Screen::new("Details", View::empty("gone", "This photo was deleted"))
            .color(Color::PURPLE)
            .up();
    };
    let album = gallery.library.album(photo.album).map_or("", |album| album.name.as_str());
    let row = |name: &str, value: String| {
        View::column()
            .id("detail")
            .high(56)
            .pad_sides(16, 6)
            .child(View::label("detail_name", name).text_size(TextSize::Small).ink(Color::FAINT))
            .child(View::label("detail_value", value))
    };
    let body = View::recycler("details")
        .child(row("Name", photo.name.clone()))
        .child(row("Album", album.to_owned()))
        .child(row("Day", album::day_text(photo.day)))
        .child(row("Size", format!("{} KB", photo.kilobytes)))
        .child(row("Favourite", if photo.favourite { "Yes" } else { "No" }.to_owned()));
    Screen::new("Details", body).color(Color::PURPLE).up()
}
