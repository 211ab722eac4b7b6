//! Dialogs to pick dates and times with, as Android's `DatePickerDialog` and `TimePickerDialog` dump them.
//!
//! What is picked so far is kept by the dialog's window under the picker's id: the day as `2026-03-06`, the time as
//! `10:06`. The app [reads](super::Ctx::field) it when the dialog is closed by its positive button.

use super::fields::Fields;
use super::style::{Color, Icon, TextSize};
use super::tree::Handler;
use super::untyped::Untyped;
use super::view::{Arrange, Extent, Gravity, View};
use super::widgets::{plain_button, plain_icon};
use super::{Dialog, Moment};

/// What a dialog lets its user pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picker {
    Date,
    Time,
}

const DAY_MS: u64 = 86_400_000;
const NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl<A> Dialog<A> {
    /// A calendar that begins at a day; what is picked is read as `2026-03-06` under this id.
    #[must_use]
    pub fn date(self, id: &'static str, first: Moment) -> Self {
        self.picker(id, Picker::Date, day_text(first))
    }

    /// A clock that begins at a time of day; what is picked is read as `10:06` under this id.
    #[must_use]
    pub fn time(self, id: &'static str, first: Moment) -> Self {
        self.picker(id, Picker::Time, first.clock_text())
    }
}

impl Moment {
    /// The beginning of a day that is written as `2026-03-06`; `None` when it is not a day from 1970 on.
    pub fn of_day_text(text: &str) -> Option<Self> {
        let mut parts = text.split('-').map(|part| part.parse::<u64>().ok());
        let mut part = || parts.next().flatten();
        let (year, month, day) = (part()?, part()?, part()?);
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || day == 0 {
            return None;
        }
        // From the first of January on; at most a year has to be looked through.
        let years = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum::<u64>();
        let mut found = (years..years + 366).map(|days| Self(days * DAY_MS));
        found.find(|moment| day_text(*moment) == format!("{year:04}-{month:02}-{day:02}"))
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// `2026-03-06`
fn day_text(moment: Moment) -> String {
    let (year, month, day) = moment.date();
    format!("{year:04}-{month:02}-{day:02}")
}

/// The first day of the month of a moment.
fn month_of(moment: Moment) -> Moment {
    Moment((moment.day() + 1).saturating_sub(moment.date().2) * DAY_MS)
}

/// The first day of the next month.
fn next_month(month: Moment) -> Moment {
    month_of(month.plus_days(31))
}

impl Picker {
    /// What the window shows of what is picked so far.
    pub(super) fn view(self, id: &'static str, fields: &Fields) -> View<Untyped> {
        match self {
            Self::Date => calendar(id, fields.text(id)),
            Self::Time => clock(id, fields.text(id)),
        }
    }
}

fn calendar(id: &'static str, picked: &str) -> View<Untyped> {
    let picked = Moment::of_day_text(picked).unwrap_or(Moment(0));
    let month = month_of(picked);
    let (year, number, _) = month.date();
    let name = NAMES.get(number.saturating_sub(1)).copied().unwrap_or_default();
    let pick = |moment: Moment| Handler::Put(id, day_text(moment));
    let before = month_of(Moment(month.0.saturating_sub(DAY_MS)));
    let head = View::row()
        .wide()
        .child(plain_icon("android:id/prev".into(), Icon::Back, "Previous month".into()).handle(pick(before)))
        .child(View::label("android:id/month", format!("{name} {year}")).share_width().centered())
        .child(
            plain_icon("android:id/next".into(), Icon::Next, "Next month".into())
                .handle(pick(next_month(month))),
        );
    let count = next_month(month).day().saturating_sub(month.day());
    let day = |n: u64| {
        let moment = month.plus_days(n);
        let chosen = moment.day() == picked.day();
        let mut view = View::new("android.view.View", Arrange::Leaf)
            .with_text((n + 1).to_string())
            .describe(format!("{:02} {name} {year}", n + 1))
            .size(Extent::Dp(40), Extent::Dp(40))
            .centered()
            .handle(pick(moment));
        view.tree.state.checkable = true;
        view.tree.state.checked = chosen;
        if chosen { view.background(Color::AMBER).rounded(20) } else { view }
    };
    let days = View::new("android.view.View", Arrange::Flow)
        .id("android:id/month_view")
        .size(Extent::Dp(284), Extent::Dp(204))
        .children((0..count).map(day));
    let header =
        View::label("android:id/date_picker_header_date", picked.day_text()).text_size(TextSize::Title);
    View::column().id("android:id/datePicker").wide().pad_sides(12, 4).child(header).child(head).child(days)
}

fn clock(id: &'static str, picked: &str) -> View<Untyped> {
    let mut parts = picked.split(':').map(|part| part.parse::<u64>().unwrap_or(0));
    let (hours, minutes) = (parts.next().unwrap_or(0) % 24, parts.next().unwrap_or(0) % 60);
    let put = |hours: u64, minutes: u64| Handler::Put(id, format!("{:02}:{:02}", hours % 24, minutes % 60));
    // A spinner: a number between the buttons that count it up and down.
    let spinner = |name: &str, shown: u64, up: Handler, down: Handler| {
        View::column()
            .class("android.widget.NumberPicker")
            .margin(8, 0, 8, 0)
            .child(
                plain_button("android:id/increment".into(), "+".into())
                    .describe(format!("More {name}"))
                    .handle(up),
            )
            .child(
                View::label("android:id/numberpicker_input", format!("{shown:02}"))
                    .text_size(TextSize::Title),
            )
            .child(
                plain_button("android:id/decrement".into(), "-".into())
                    .describe(format!("Fewer {name}"))
                    .handle(down),
            )
    };
    let spinners = View::row()
        .at(Gravity::Center)
        .child(spinner("hours", hours, put(hours + 1, minutes), put(hours + 23, minutes)))
        .child(View::text(":"))
        .child(spinner("minutes", minutes, put(hours, minutes + 1), put(hours, minutes + 59)));
    View::frame().id("android:id/timePicker").wide().pad_sides(12, 4).child(spinners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_they_are_written() {
        for text in ["1970-01-01", "2000-02-29", "2026-03-06", "2026-12-31"] {
            assert_eq!(Moment::of_day_text(text).map(day_text).as_deref(), Some(text));
        }
        for none in ["", "2026", "2026-02-29", "2026-13-01", "2026-01-00", "1969-12-31", "x-1-1"] {
            assert_eq!(Moment::of_day_text(none), None, "{none}");
        }
        let march = month_of(Moment::of_day_text("2026-03-31").expect("a day"));
        assert_eq!(
            (day_text(march), day_text(next_month(march))),
            ("2026-03-01".into(), "2026-04-01".into())
        );
    }
}
