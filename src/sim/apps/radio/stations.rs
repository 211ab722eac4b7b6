//! The stations, what is playing, and what was played.

#[derive(Clone, Debug)]
pub(super) struct Stations {
    list: Vec<Station>,
    next: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StationId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Station {
    pub id: StationId,
    pub name: String,
    pub url: String,
    pub favourite: bool,
    /// What it plays, if it says so; stations that a user adds do not.
    pub songs: &'static [&'static str],
    /// How often it was started.
    pub plays: usize,
}

const FIRST: [(&str, &str, &[&str]); 4] = [
    ("Harbour FM", "http://harbour.example/live", &["Low tide", "Gulls over the pier"]),
    ("Hill Radio", "http://hill.example/stream", &["The long path", "Frost at noon"]),
    ("Night Jazz", "http://jazz.example/mp3", &["Blue lamp", "Last tram"]),
    ("Village Voice", "http://village.example/a", &["Market day", "Two bells"]),
];

impl Stations {
    pub(super) fn new() -> Self {
        let mut stations = Self { list: Vec::new(), next: 1 };
        for (name, url, songs) in FIRST {
            stations.add(name, url, songs);
        }
        stations
    }

    pub(super) fn list(&self) -> &[Station] {
        &self.list
    }

    pub(super) fn get(&self, id: StationId) -> Option<&Station> {
        self.list.iter().find(|station| station.id == id)
    }

    pub(super) fn named(&self, name: &str) -> Option<&Station> {
        self.list.iter().find(|station| station.name == name)
    }

    pub(super) fn add(&mut self, name: &str, url: &str, songs: &'static [&'static str]) {
        let id = self.new_id();
        self.list.push(Station { id, name: name.into(), url: url.into(), favourite: false, songs, plays: 0 });
    }

    pub(super) fn new_id(&mut self) -> StationId {
        self.next += 1;
        StationId(self.next - 1)
    }

    pub(super) fn change(&mut self, id: StationId, change: impl FnOnce(&mut Station)) {
        if let Some(station) = self.list.iter_mut().find(|station| station.id == id) {
            change(station);
        }
    }

    /// Takes a station out; returns where it was, for [`Stations::restore`].
    pub(super) fn remove(&mut self, id: StationId) -> Option<(usize, Station)> {
        let at = self.list.iter().position(|station| station.id == id)?;
        Some((at, self.list.remove(at)))
    }

    pub(super) fn restore(&mut self, at: usize, station: Station) {
        self.list.insert(at.min(self.list.len()), station);
    }
}

/// What is playing.
#[derive(Clone, Debug, Default)]
pub(super) struct Player {
    /// The station of the bar, whether it plays or waits.
    pub station: Option<StationId>,
    /// Its name; it plays on when the station is deleted.
    pub name: String,
    pub on: bool,
    /// The row that is marked as playing.
    pub marked: Option<StationId>,
    /// The name the station had when it began to play.
    pub began_as: String,
    /// What the station says it plays.
    pub song: Option<&'static str>,
}

/// What was played, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub stations: Vec<String>,
    /// Song and station.
    pub tracks: Vec<(String, String)>,
}

impl History {
    /// How many stations, and how many tracks, it keeps.
    pub(super) const LENGTH: usize = 3;

    /// Notes a station; one that is there already moves to the front.
    pub(super) fn note(&mut self, name: &str) {
        self.stations.retain(|known| known != name);
        self.stations.insert(0, name.to_owned());
        self.stations.truncate(Self::LENGTH);
    }

    pub(super) fn note_track(&mut self, song: &str, station: &str) {
        self.tracks.insert(0, (song.to_owned(), station.to_owned()));
        self.tracks.truncate(Self::LENGTH);
    }
}
