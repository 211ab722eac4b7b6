//! A gallery: albums, photos one by one, favourites, a recycle bin.
//!
//! Modelled on Simple Gallery and Fossify Gallery.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen};
use droidmux::sim::{DefectSwitches, SimApp};

use crate::selection;
use declared::{DEFECTS, DELETES_FIRST, RESTORED_PLAIN, TRAPS, TURN_PHOTO};
use library::{AlbumId, AlbumOrder, Library, Order, PhotoId, Place};

mod album;
mod albums;
mod bin;
#[cfg(test)]
pub(crate) mod cases;
mod declared;
mod library;
mod viewer;

const MANIFEST: Manifest = Manifest {
    package: "com.example.gallery",
    label: "Gallery",
    version_name: "5.0.3",
    version_code: 503,
    activities: &[ALBUMS, ALBUM, PHOTO, DETAILS, BIN, SETTINGS],
    permissions: &[],
};

const ALBUMS: &str = "AlbumsActivity";
const ALBUM: &str = "AlbumActivity";
const PHOTO: &str = "PhotoActivity";
const DETAILS: &str = "DetailsActivity";
const BIN: &str = "RecycleBinActivity";
const SETTINGS: &str = "SettingsActivity";

/// The field of a dialog that asks for a name.
const NAME: &str = "name_field";

/// The gallery, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Gallery::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Gallery {
    library: Library,
    order: Order,
    album_order: AlbumOrder,
    names: bool,
    by_day: bool,
    uses_bin: bool,
    confirms: bool,
    /// What went to the recycle bin last, while it can be brought back.
    undo: Option<Vec<PhotoId>>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Album(Place),
    AlbumMenu(AlbumId),
    Pin(AlbumId),
    Hide(AlbumId),
    /// Of an album, or of a new one.
    AskAlbumName(Option<AlbumId>),
    AlbumName(Option<AlbumId>),
    AskDeleteAlbum(AlbumId),
    DeleteAlbum(AlbumId),
    AskAlbumOrder,
    AlbumOrder(AlbumOrder),
    ToggleReveal,
    AskOrder,
    Order(Order),
    Show(Place, PhotoId),
    Select(PhotoId),
    SelectAll,
    EndSelection,
    FavourSelected,
    /// Of one photo, or of those that are selected.
    AskMove(Option<PhotoId>),
    Move(Option<PhotoId>, AlbumId),
    AskCopy,
    Copy(AlbumId),
    AskDelete(Option<PhotoId>),
    Delete(Option<PhotoId>),
    Undo,
    Favour(PhotoId),
    Step(PhotoId),
    AskName(PhotoId),
    Name(PhotoId),
    Details(PhotoId),
    Bin,
    BinMenu(PhotoId),
    Restore(PhotoId),
    RestoreAll,
    AskDestroy(PhotoId),
    Destroy(PhotoId),
    AskEmpty,
    Empty,
    Settings,
    ToggleNames,
    ToggleByDay,
    ToggleBin,
    ToggleConfirm,
}

impl Gallery {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            library: Library::new(),
            order: Order::default(),
            album_order: AlbumOrder::default(),
            names: true,
            by_day: false,
            uses_bin: true,
            confirms: false,
            undo: None,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Album(place) => ctx.start(ALBUM, album::argument(place)),
            Action::AlbumMenu(id) => albums::menu(self, id, ctx),
            Action::Pin(id) => self.library.change_album(id, |album| album.pinned = !album.pinned),
            Action::Hide(id) => self.library.change_album(id, |album| album.hidden = !album.hidden),
            Action::AskAlbumName(id) => albums::ask_name(self, id, ctx),
            Action::AlbumName(id) => self.name_album(id, ctx),
            Action::AskDeleteAlbum(id) => albums::ask_delete(self, id, ctx),
            Action::DeleteAlbum(id) => {
                for photo in self.library.delete_album(id) {
                    self.remove(photo);
                }
                self.library.count();
            }
            Action::AskAlbumOrder => albums::ask_order(ctx),
            Action::AlbumOrder(order) => self.album_order = order,
            Action::ToggleReveal => self.library.reveals = !self.library.reveals,
            Action::AskOrder => album::ask_order(ctx),
            Action::Order(order) => self.order = order,
            Action::Show(place, photo) => ctx.start(PHOTO, format!("{} {}", album::argument(place), photo.0)),
            Action::Select(id) => selection::toggle(id.0, ctx),
            Action::SelectAll => album::select_all(self, ctx),
            Action::EndSelection => drop(selection::clear(ctx)),
            Action::FavourSelected => {
                for id in self.chosen(None, ctx.page()) {
                    self.library.change(id, |photo| photo.favourite = true);
                }
                selection::clear(ctx);
            }
            Action::AskMove(one) => album::ask_target(self, |album| Action::Move(one, album), "Move to", ctx),
            Action::Move(one, album) => {
                let chosen = self.chosen(one, ctx.page());
                self.and_settle(ctx, |gallery| {
                    chosen.into_iter().for_each(|id| gallery.library.move_to(id, album));
                });
            }
            Action::AskCopy => album::ask_target(self, Action::Copy, "Copy to", ctx),
            Action::Copy(album) => {
                for id in self.chosen(None, ctx.page()) {
                    self.library.copy_to(id, album);
                }
                self.library.count();
                selection::clear(ctx);
            }
            Action::AskDelete(one) if self.confirms || !self.uses_bin => album::ask_delete(self, one, ctx),
            Action::AskDelete(one) | Action::Delete(one) => self.delete(one, ctx),
            Action::Undo => {
                for id in undo.unwrap_or_default() {
                    self.library.restore(id);
                }
                self.library.count();
            }
            Action::Favour(id) => self.library.change(id, |photo| photo.favourite = !photo.favourite),
            Action::Step(id) => ctx.save("photo", id.0),
            Action::AskName(id) => viewer::ask_name(self, id, ctx),
            Action::Name(id) => match ctx.field(NAME).trim() {
                "" => ctx.toast("A photo needs a name"),
                name if !self.library.rename(id, name) => ctx.toast("There is a photo of this name"),
                _ => {}
            },
            Action::Details(id) => ctx.start(DETAILS, id.0),
            Action::Bin => ctx.start(BIN, ""),
            Action::BinMenu(id) => bin::menu(id, ctx),
            Action::Restore(id) => self.restore(id),
            Action::RestoreAll => {
                let binned: Vec<PhotoId> = self.library.binned().iter().map(|photo| photo.id).collect();
                binned.into_iter().for_each(|id| self.restore(id));
            }
            Action::AskDestroy(id) => bin::ask_destroy(id, ctx),
            Action::Destroy(id) => self.library.destroy(id),
            Action::AskEmpty => bin::ask_empty(ctx),
            Action::Empty => {
                let binned: Vec<PhotoId> = self.library.binned().iter().map(|photo| photo.id).collect();
                binned.into_iter().for_each(|id| self.library.destroy(id));
            }
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::ToggleNames => self.names = !self.names,
            Action::ToggleByDay => self.by_day = !self.by_day,
            Action::ToggleBin => self.uses_bin = !self.uses_bin,
            Action::ToggleConfirm => self.confirms = !self.confirms,
        }
    }

    /// The photo that is meant, or those that are selected.
    fn chosen(&self, one: Option<PhotoId>, page: &ActivityState) -> Vec<PhotoId> {
        let selected = selection::selected(page).into_iter().map(PhotoId);
        let chosen: Vec<PhotoId> = one.map_or_else(|| selected.collect(), |id| vec![id]);
        let is_there = |id: &PhotoId| self.library.get(*id).is_some_and(|photo| photo.binned.is_none());
        chosen.into_iter().filter(is_there).collect()
    }

    fn name_album(&mut self, id: Option<AlbumId>, ctx: &mut Ctx<'_, Action>) {
        let name = ctx.field(NAME).trim().to_owned();
        if name.is_empty() {
            return ctx.toast("An album needs a name");
        }
        let done = match id {
            Some(id) => self.library.rename_album(id, &name),
            None => self.library.new_album(&name),
        };
        if !done {
            ctx.toast("There is an album of this name");
        }
    }

    /// Into the recycle bin, or away where none is used.
    fn remove(&mut self, id: PhotoId) {
        if self.uses_bin {
            self.library.bin(id);
        } else {
            self.library.destroy(id);
        }
    }

    fn delete(&mut self, one: Option<PhotoId>, ctx: &mut Ctx<'_, Action>) {
        // The wrong page remembers only what it was opened with.
        let opened = viewer::opened(ctx.page()).filter(|_| ctx.page().activity() == PHOTO);
        let differs = opened.is_some() && opened != one && !self.chosen(opened, ctx.page()).is_empty();
        let wrong = self.defects.strikes(&DELETES_FIRST, differs);
        let chosen = self.chosen(if wrong { opened } else { one }, ctx.page());
        self.and_settle(ctx, |gallery| {
            chosen.iter().for_each(|id| gallery.remove(*id));
            gallery.library.count();
        });
        if self.uses_bin && !chosen.is_empty() {
            self.undo = Some(chosen);
        }
    }

    fn restore(&mut self, id: PhotoId) {
        let was_favourite = self.library.get(id).is_some_and(|photo| photo.favourite);
        self.library.restore(id);
        // The wrong bin makes the photo anew.
        if self.defects.strikes(&RESTORED_PLAIN, was_favourite) {
            self.library.change(id, |photo| photo.favourite = false);
        }
        self.library.count();
    }

    /// Does something after which photos may be gone from the page, and leads it to what is left.
    fn and_settle(&mut self, ctx: &mut Ctx<'_, Action>, what: impl FnOnce(&mut Self)) {
        if ctx.page().activity() != PHOTO {
            what(self);
            selection::clear(ctx);
            return;
        }
        let at = viewer::position(self, ctx.page());
        what(self);
        let left = viewer::list(self, ctx.page());
        let gone = viewer::position(self, ctx.page()).is_none();
        match left.get(at.unwrap_or(0)).or(left.last()) {
            None => ctx.finish(),
            Some(next) if gone => ctx.save("photo", next.0),
            Some(_) => {}
        }
    }
}

impl App for Gallery {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            ALBUM => album::view(self, page),
            PHOTO => viewer::view(self, page),
            DETAILS => viewer::details(self, page),
            BIN => bin::view(self),
            SETTINGS => bin::settings(self),
            _ => albums::view(self, page),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } => match ctx.page().activity() {
                ALBUM => {
                    if let Place::Album(id) = album::place(ctx.page()) {
                        let size = self.library.size(Place::Album(id));
                        self.library.change_album(id, |album| album.counted = size);
                    }
                }
                PHOTO => viewer::begin(self, ctx),
                _ => {}
            },
            Input::Opened { again: true } => {
                self.undo = None;
                let stepped = viewer::current(ctx.page()) != viewer::opened(ctx.page());
                if ctx.page().activity() == PHOTO && self.defects.strikes(&TURN_PHOTO, stepped) {
                    ctx.save("photo", "");
                }
            }
            Input::Hidden => self.library.reveals = false,
            Input::Shown => self.library.take(ctx.env().now().day()),
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        ctx.page().activity() == ALBUM && selection::clear(ctx)
    }

    fn process_died(&mut self) {
        self.undo = None;
        self.library.reveals = false;
    }
}
