//! The recycle bin, and the settings.

use droidmux::sim::toolkit::{Color, Ctx, Dialog, Extent, Screen, TextSize, View};

use super::library::{Photo, PhotoId};
use super::{Action, Gallery};

pub(super) fn view(gallery: &Gallery) -> Screen<Action> {
    let binned = gallery.library.binned();
    let cell = |photo: &&Photo| {
        View::column()
            .id("binned")
            .size(Extent::Dp(116), Extent::Dp(104))
            .pad(6)
            .on_click(Action::BinMenu(photo.id))
            .child(View::picture("thumbnail", photo.id.0, &photo.name))
            .child(View::label("photo_name", &photo.name).text_size(TextSize::Small))
    };
    let body = if binned.is_empty() {
        View::empty("bin_empty", "The recycle bin is empty")
    } else {
        View::flow("bin").children(binned.iter().map(cell))
    };
    let screen = Screen::new("Recycle bin", body)
        .subtitle(format!("{} in all", binned.len()))
        .color(Color::PURPLE)
        .up();
    if binned.is_empty() {
        return screen;
    }
    screen.menu("Restore all", Action::RestoreAll).menu("Empty", Action::AskEmpty)
}

pub(super) fn menu(id: PhotoId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Restore".into(), Action::Restore(id)),
        ("Delete for good".into(), Action::AskDestroy(id)),
    ]);
}

pub(super) fn ask_destroy(id: PhotoId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Delete for good?")
        .message("It cannot be brought back.")
        .negative("Cancel")
        .positive("Delete", Action::Destroy(id));
    ctx.show(dialog);
}

pub(super) fn ask_empty(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Empty the recycle bin?")
        .message("What is in it cannot be brought back.")
        .negative("Cancel")
        .positive("Empty", Action::Empty);
    ctx.show(dialog);
}

pub(super) fn settings(gallery: &Gallery) -> Screen<Action> {
    let list = View::recycler("settings")
        .child(View::setting("File names", "Under the photos of albums", gallery.names, Action::ToggleNames))
        .child(View::setting("Group by day", "In albums", gallery.by_day, Action::ToggleByDay))
        .child(View::setting("Recycle bin", "Keep what is deleted", gallery.uses_bin, Action::ToggleBin))
        .child(View::setting(
            "Ask before deleting",
            "Also with the recycle bin",
            gallery.confirms,
            Action::ToggleConfirm,
        ));
    Screen::new("Settings", list).color(Color::PURPLE).up()
}
