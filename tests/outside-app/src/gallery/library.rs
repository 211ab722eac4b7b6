//! The photos and albums.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PhotoId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AlbumId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Photo {
    pub id: PhotoId,
    pub name: String,
    pub album: AlbumId,
    /// Since 1970.
    pub day: u64,
    pub kilobytes: u64,
    pub favourite: bool,
    /// When it went to the recycle bin, counted.
    pub binned: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) struct Album {
    pub id: AlbumId,
    pub name: String,
    pub pinned: bool,
    pub hidden: bool,
    /// Only photos in the recycle bin belong to it.
    pub deleted: bool,
    /// How many photos it had when they were counted last.
    pub counted: usize,
}

/// Photos that belong together on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Album(AlbumId),
    Favourites,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Newest,
    Name,
    Largest,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AlbumOrder {
    #[default]
    Name,
    MostPhotos,
}

#[derive(Clone, Debug)]
pub(super) struct Library {
    photos: Vec<Photo>,
    albums: Vec<Album>,
    /// Photos that will be taken while the app is away.
    taken: Vec<&'static str>,
    next: u64,
    /// Hidden albums are shown, until the app is left.
    pub reveals: bool,
}

pub(super) const CAMERA: AlbumId = AlbumId(1);

/// 6 March 2026.
const FIRST_DAY: u64 = 20_518;
const ALBUMS: [(&str, bool); 4] =
    [("Camera", false), ("Downloads", false), ("Papers", true), ("Screenshots", false)];
/// Name, place of the album, days before the first, kilobytes.
const PHOTOS: [(&str, u64, u64, u64); 9] = [
    ("dinner.jpg", 1, 3, 1_900),
    ("goat.jpg", 1, 1, 2_400),
    ("beach.jpg", 1, 1, 3_100),
    ("tower.jpg", 1, 0, 1_200),
    ("poster.jpg", 2, 5, 400),
    ("goat.jpg", 2, 2, 2_300),
    ("passport.jpg", 3, 30, 800),
    ("chat.png", 4, 2, 150),
    ("map.png", 4, 4, 310),
];
const TAKEN: [&str; 3] = ["walk.jpg", "cat.jpg", "street.jpg"];

impl Library {
    pub(super) fn new() -> Self {
        let mut library = Self {
            photos: Vec::new(),
            albums: Vec::new(),
            taken: TAKEN.into_iter().rev().collect(),
            next: 0,
            reveals: false,
        };
        for (name, hidden) in ALBUMS {
            library.add_album(name, hidden);
        }
        for (name, album, before, kilobytes) in PHOTOS {
            library.add_photo(name, AlbumId(album), FIRST_DAY - before, kilobytes);
        }
        library.count();
        library
    }

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn add_album(&mut self, name: &str, hidden: bool) {
        let id = AlbumId(self.new_id());
        let name = name.to_owned();
        self.albums.push(Album { id, name, pinned: false, hidden, deleted: false, counted: 0 });
    }

    /// Makes an album, or brings back a deleted one of this name; false when there is one.
    pub(super) fn new_album(&mut self, name: &str) -> bool {
        match self.albums.iter_mut().find(|album| album.name == name) {
            Some(known) if known.deleted => {
                (known.deleted, known.hidden) = (false, false);
                true
            }
            Some(_) => false,
            None => {
                self.add_album(name, false);
                true
            }
        }
    }

    /// Renames an album; false when another one has this name.
    pub(super) fn rename_album(&mut self, id: AlbumId, name: &str) -> bool {
        if self.albums.iter().any(|album| album.name == name && album.id != id) {
            return false;
        }
        self.change_album(id, |album| name.clone_into(&mut album.name));
        true
    }

    fn add_photo(&mut self, name: &str, album: AlbumId, day: u64, kilobytes: u64) {
        let id = PhotoId(self.new_id());
        let name = name.to_owned();
        self.photos.push(Photo { id, name, album, day, kilobytes, favourite: false, binned: None });
    }

    /// A photo that was taken meanwhile comes into the camera's album.
    pub(super) fn take(&mut self, day: u64) {
        if let Some(name) = self.taken.pop() {
            let name = self.free_name(name, CAMERA);
            self.add_photo(&name, CAMERA, day, 1_500);
            self.change_album(CAMERA, |album| album.deleted = false);
            self.count();
        }
    }

    pub(super) fn get(&self, id: PhotoId) -> Option<&Photo> {
        self.photos.iter().find(|photo| photo.id == id)
    }

    pub(super) fn change(&mut self, id: PhotoId, change: impl FnOnce(&mut Photo)) {
        if let Some(photo) = self.photos.iter_mut().find(|photo| photo.id == id) {
            change(photo);
        }
    }

    pub(super) fn album(&self, id: AlbumId) -> Option<&Album> {
        self.albums.iter().find(|album| album.id == id)
    }

    pub(super) fn change_album(&mut self, id: AlbumId, change: impl FnOnce(&mut Album)) {
        if let Some(album) = self.albums.iter_mut().find(|album| album.id == id) {
            change(album);
        }
    }

    /// The albums that pass, pinned ones first.
    pub(super) fn albums(&self, order: AlbumOrder, passes: impl Fn(&Album) -> bool) -> Vec<&Album> {
        let mut list: Vec<&Album> =
            self.albums.iter().filter(|album| !album.deleted && passes(album)).collect();
        list.sort_by_key(|album| album.name.to_lowercase());
        if order == AlbumOrder::MostPhotos {
            list.sort_by_key(|album| std::cmp::Reverse(self.size(Place::Album(album.id))));
        }
        list.sort_by_key(|album| !album.pinned);
        list
    }

    /// The photos of a place in this order.
    pub(super) fn photos(&self, place: Place, order: Order) -> Vec<&Photo> {
        self.sorted(order, |photo| match place {
            Place::Album(album) => photo.album == album,
            Place::Favourites => photo.favourite && self.is_open(photo.album),
        })
    }

    /// Whether an album is shown now.
    pub(super) fn is_open(&self, id: AlbumId) -> bool {
        self.reveals || self.album(id).is_some_and(|album| !album.hidden)
    }

    /// The photos outside the bin that pass, in this order.
    pub(super) fn sorted(&self, order: Order, passes: impl Fn(&Photo) -> bool) -> Vec<&Photo> {
        let mut list: Vec<&Photo> =
            self.photos.iter().rev().filter(|photo| photo.binned.is_none() && passes(photo)).collect();
        match order {
            Order::Newest => list.sort_by_key(|photo| std::cmp::Reverse(photo.day)),
            Order::Name => list.sort_by_key(|photo| photo.name.to_lowercase()),
            Order::Largest => list.sort_by_key(|photo| std::cmp::Reverse(photo.kilobytes)),
        }
        list
    }

    /// How many photos a place has.
    pub(super) fn size(&self, place: Place) -> usize {
        self.photos(place, Order::Newest).len()
    }

    /// Counts the photos of all albums.
    pub(super) fn count(&mut self) {
        let counts: Vec<usize> = self.albums.iter().map(|album| self.size(Place::Album(album.id))).collect();
        for (album, count) in self.albums.iter_mut().zip(counts) {
            album.counted = count;
        }
    }

    /// Moves a photo into an album, under another name where its own is taken.
    pub(super) fn move_to(&mut self, id: PhotoId, album: AlbumId) {
        let Some(photo) = self.get(id).filter(|photo| photo.album != album) else { return };
        let name = self.free_name(&photo.name, album);
        self.change(id, |photo| (photo.album, photo.name) = (album, name));
    }

    /// Puts a copy of a photo into an album.
    pub(super) fn copy_to(&mut self, id: PhotoId, album: AlbumId) {
        let Some(photo) = self.get(id).cloned() else { return };
        let name = self.free_name(&photo.name, album);
        self.add_photo(&name, album, photo.day, photo.kilobytes);
    }

    /// Renames a photo; false when another one of its album has this name.
    pub(super) fn rename(&mut self, id: PhotoId, name: &str) -> bool {
        let Some(album) = self.get(id).map(|photo| photo.album) else { return false };
        if self.photos.iter().any(|photo| photo.album == album && photo.name == name && photo.id != id) {
            return false;
        }
        self.change(id, |photo| name.clone_into(&mut photo.name));
        true
    }

    /// The name, or where it is taken, the next one like `goat (1).jpg`.
    fn free_name(&self, name: &str, album: AlbumId) -> String {
        let is_taken =
            |name: &str| self.photos.iter().any(|photo| photo.album == album && photo.name == name);
        if !is_taken(name) {
            return name.to_owned();
        }
        let (stem, ending) =
            name.rsplit_once('.').map_or((name, String::new()), |(s, e)| (s, format!(".{e}")));
        let mut numbered = (1..=self.photos.len()).map(|n| format!("{stem} ({n}){ending}"));
        numbered.find(|name| !is_taken(name)).unwrap_or_else(|| name.to_owned())
    }

    /// Puts a photo into the recycle bin.
    pub(super) fn bin(&mut self, id: PhotoId) {
        let when = self.new_id();
        self.change(id, |photo| photo.binned = Some(when));
    }

    /// What is in the recycle bin, the latest first.
    pub(super) fn binned(&self) -> Vec<&Photo> {
        let mut list: Vec<&Photo> = self.photos.iter().filter(|photo| photo.binned.is_some()).collect();
        list.sort_by_key(|photo| std::cmp::Reverse(photo.binned));
        list
    }

    /// Takes a photo out of the recycle bin, back into its album.
    pub(super) fn restore(&mut self, id: PhotoId) {
        self.change(id, |photo| photo.binned = None);
        if let Some(album) = self.get(id).map(|photo| photo.album) {
            self.change_album(album, |album| album.deleted = false);
        }
    }

    /// Deletes a photo for good.
    pub(super) fn destroy(&mut self, id: PhotoId) {
        self.photos.retain(|photo| photo.id != id);
    }

    /// Deletes an album; gives the photos in it.
    pub(super) fn delete_album(&mut self, id: AlbumId) -> Vec<PhotoId> {
        self.change_album(id, |album| (album.deleted, album.pinned) = (true, false));
        self.photos(Place::Album(id), Order::Newest).into_iter().map(|photo| photo.id).collect()
    }
}
