//! The events of a conference of two days.

/// Title, speaker, room, day (0 or 1), minutes after midnight, length in minutes.
pub(super) const EVENTS: [(&str, &str, &str, usize, u32, u32); 8] = [
    ("Opening", "The organisers", "Hall A", 0, 570, 30),
    ("Reading old tapes", "Ines Vale", "Hall A", 0, 610, 45),
    ("Maps without roads", "Tom Okoro", "Room 12", 0, 660, 45),
    ("A compiler in a week", "Ada Lund", "Hall A", 0, 720, 60),
    ("Quiet radios", "Bo Lind", "Room 12", 1, 600, 45),
    ("Trees that edit", "Mei Tan", "Hall A", 1, 650, 45),
    ("Clocks that agree", "Jon Ashe", "Room 12", 1, 700, 45),
    ("Closing", "The organisers", "Hall A", 1, 1020, 30),
];

pub(super) const DAYS: [&str; 2] = ["Saturday", "Sunday"];

/// The venue's clock is an hour ahead of the phone's.
const AHEAD: u32 = 60;

pub(super) fn title(event: usize) -> &'static str {
    EVENTS.get(event).map_or("", |event| event.0)
}

/// `Saturday 09:30–10:00`
pub(super) fn time_text(event: usize, local: bool) -> String {
    let Some((_, _, _, day, start, length)) = EVENTS.get(event).copied() else { return String::new() };
    let clock = |minutes: u32| {
        let minutes = if local { minutes - AHEAD } else { minutes };
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    };
    format!("{} {}–{}", DAYS.get(day).unwrap_or(&""), clock(start), clock(start + length))
}

/// Events whose title, speaker or room has this in it.
pub(super) fn search(query: &str) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&query);
    let found = EVENTS.iter().enumerate().filter(|(_, event)| has(event.0) || has(event.1) || has(event.2));
    found.map(|(n, _)| n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_the_venue_or_local() {
        assert_eq!(time_text(0, false), "Saturday 09:30–10:00");
        assert_eq!(time_text(7, true), "Sunday 16:00–16:30");
        assert_eq!(time_text(99, true), "");
    }

    #[test]
    fn searches_titles_speakers_and_rooms() {
        for (query, found) in
            [("tree", vec![5]), ("LUND", vec![3]), ("room 12", vec![2, 4, 6]), ("zzz", vec![])]
        {
            assert_eq!(search(query), found, "{query}");
        }
    }
}
