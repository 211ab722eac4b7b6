//! What is searched and booked, and how the forms are read.

use super::{DAY_OVERFLOW, INITIAL, PASSENGERS, PATTERN, RETURN_YEAR, SAME_PLACE, Travel};
use crate::form::{
    Date, Failure, at_most, is_beyond_plane, is_half_pair, lenient_date, read_date, read_whole, refusal,
    required, skeleton, thrown,
};
use droidmux_sim_toolkit::ActivityState;

pub(super) const FROM: &str = "origin";
pub(super) const TO: &str = "destination";
pub(super) const LEAVE: &str = "departure_date";
pub(super) const RETURN: &str = "return_date";
pub(super) const PASSENGER_COUNT: &str = "passengers";
pub(super) const NAME: &str = "traveller_name";
pub(super) const REMARK: &str = "remark";

/// Years that can be searched.
const FIRST_YEAR: u32 = 2020;
const LAST_YEAR: u32 = 2035;

/// What was searched for.
#[derive(Clone, Debug)]
pub(super) struct Trip {
    pub from: String,
    pub to: String,
    pub leave: Date,
    pub back: Date,
    /// 1 to 9.
    pub passengers: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Booking {
    pub id: u64,
    pub trip: Trip,
    /// Its place in [`CONNECTIONS`].
    pub connection: usize,
    pub name: String,
    pub remark: String,
}

/// A connection: hours, changes, price per passenger.
pub(super) const CONNECTIONS: [(&str, u32, u32); 4] = [
    ("06:12 to 10:40", 1, 39),
    ("08:02 to 11:31", 0, 58),
    ("12:02 to 15:31", 0, 49),
    ("19:40 to 00:55", 2, 27),
];

/// The search form.
pub(super) fn read(app: &Travel, page: &ActivityState) -> Result<Trip, Failure> {
    let from = required(FROM, page.field(FROM), "Where does the trip begin?")?;
    let to = required(TO, page.field(TO), "Where does the trip go?")?;
    at_most(FROM, &from, 60)?;
    at_most(TO, &to, 60)?;
    // The wrong search compares what was typed, not what it looks like.
    let same = app.defects.either(&SAME_PLACE, skeleton(&from) == skeleton(&to), || from == to);
    if same {
        return Err(refusal(TO, "Departure and arrival are the same").into());
    }
    let leave = day(app, LEAVE, page)?;
    let back = day(app, RETURN, page)?;
    if back < leave {
        return Err(refusal(RETURN, "The return is before the departure").into());
    }
    let passengers = passengers(app, page.field(PASSENGER_COUNT))?;
    let broken = [&from, &to].into_iter().find(|place| app.errs(&PATTERN, breaks_pattern(place)));
    match broken {
        Some(place) => Err(thrown(
            "java.util.regex.PatternSyntaxException",
            format!("Syntax error in regexp pattern near index {}\n{place}", place.chars().count()),
            &[
                "org.droidmux.travel.search.Highlighter.mark(Highlighter.java:31)",
                "org.droidmux.travel.ui.SearchActivity.onSearch(SearchActivity.java:118)",
            ],
        )),
        None => Ok(Trip { from, to, leave, back, passengers }),
    }
}

fn day(app: &Travel, field: &'static str, page: &ActivityState) -> Result<Date, Failure> {
    let text = page.field(field);
    let read = app.defects.either(&DAY_OVERFLOW, read_date(text), || lenient_date(text));
    let date = read.ok_or_else(|| refusal(field, "No such day; write it as 2026-03-31"))?;
    // The wrong form looks at the year of the departure only.
    let outside = !(FIRST_YEAR..=LAST_YEAR).contains(&date.year);
    if outside && !app.errs(&RETURN_YEAR, field == RETURN) {
        return Err(refusal(field, format!("Trips from {FIRST_YEAR} to {LAST_YEAR} only")).into());
    }
    Ok(date)
}

fn passengers(app: &Travel, text: &str) -> Result<u32, Failure> {
    let too_large = text.parse::<i32>().is_err() && !text.is_empty();
    if app.errs(&PASSENGERS, too_large) {
        return Err(thrown(
            "java.lang.NumberFormatException",
            format!("For input string: \"{text}\""),
            &["org.droidmux.travel.ui.SearchActivity.passengers(SearchActivity.java:141)"],
        ));
    }
    let number = read_whole(text).and_then(|number| u32::try_from(number).ok());
    number
        .filter(|number| (1..=9).contains(number))
        .ok_or_else(|| refusal(PASSENGER_COUNT, "1 to 9 passengers").into())
}

/// Whether `Pattern.compile` refuses a text.
fn breaks_pattern(text: &str) -> bool {
    let count = |wanted: char| text.chars().filter(|char| *char == wanted).count();
    let backslashes = text.chars().rev().take_while(|char| *char == '\\').count();
    count('[') > count(']')
        || count('(') != count(')')
        || backslashes % 2 == 1
        || text.starts_with(['*', '+', '?'])
}

/// Name and remark of the form before a booking.
pub(super) fn read_traveller(app: &Travel, page: &ActivityState) -> Result<(String, String), Failure> {
    let name = required(NAME, page.field(NAME), "Who travels?")?;
    at_most(NAME, &name, 100)?;
    at_most(REMARK, page.field(REMARK), 400)?;
    let halved = name.chars().next().is_some_and(|char| is_beyond_plane(char) || is_half_pair(char));
    if app.errs(&INITIAL, halved) {
        return Err(thrown(
            "java.lang.IllegalArgumentException",
            "Invalid surrogate pair in the text of the avatar",
            &[
                "org.droidmux.travel.widget.AvatarView.setInitial(AvatarView.java:57)",
                "org.droidmux.travel.ui.TravellerActivity.onBook(TravellerActivity.java:84)",
            ],
        ));
    }
    Ok((name, page.field(REMARK).to_owned()))
}

/// Whether prices would be loaded for so many days that it never ends.
pub(super) fn loads_for_ever(trip: &Trip) -> bool {
    trip.back.year > LAST_YEAR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (text, broken) in [
            ("Bern", false),
            ("St. (Gallen)", false),
            ("Bern [", true),
            ("a(", true),
            ("a\\", true),
            ("*", true),
        ] {
            assert_eq!(breaks_pattern(text), broken, "{text:?}");
        }
    }
}
