//! Welcome, the form of an account, profiles, members, settings, about.

use super::accounts::{self, Account};
use super::{ABOUT, Action, Circle, MANIFEST, MEMBERS, SETTINGS};
use crate::form::{blank, blanks};
use droidmux_sim_toolkit::{ActivityState, Color, Icon, Screen, TextSize, View};

const COLOR: Color = Color::PURPLE;

pub(super) fn welcome(app: &Circle) -> Screen<Action> {
    let name = app.account(&app.current).map_or("nobody", |account| account.name.as_str());
    let body = View::column()
        .fill()
        .pad(24)
        .child(View::label("welcome", "Welcome to the circle").text_size(TextSize::Title))
        .child(View::label("signed_in", format!("Signed in as {name}")).ink(Color::FAINT))
        .child(View::button("create_account", "Create account", Action::SignUp).wide())
        .child(View::button("my_profile", "My profile", Action::MyProfile).wide())
        .child(View::button("members", "Members", Action::GoTo(MEMBERS)).wide());
    Screen::new("Circle", body)
        .color(COLOR)
        .menu("Settings", Action::GoTo(SETTINGS))
        .menu("About", Action::GoTo(ABOUT))
}

pub(super) fn sign_up(page: &ActivityState) -> Screen<Action> {
    let field = |id: &'static str, hint: &str| blank(page, id, View::field(id, hint));
    let secret = |id: &'static str, hint: &str| (id, View::field(id, hint).password());
    let passwords = [secret(accounts::PASSWORD, "Password"), secret(accounts::REPEAT, "Repeat password")];
    let form = View::scroll("sign_up_form").pad(12).child(
        View::column()
            .wide()
            .child(field(accounts::USER, "User name"))
            .child(field(accounts::EMAIL, "E-mail"))
            .child(field(accounts::NAME, "Display name"))
            .child(blanks(page, passwords))
            .child(View::button("sign_up", "Sign up", Action::Create).wide()),
    );
    Screen::new("Create account", form).color(COLOR).up()
}

pub(super) fn profile(app: &Circle, page: &ActivityState) -> Screen<Action> {
    let Some(account) = app.account(page.argument()) else {
        return Screen::new("Profile", View::empty("no_profile", "There is no such member"))
            .color(COLOR)
            .up();
    };
    let line = |id: &'static str, text: &str| View::label(id, text).wide().multiline();
    let mut body = View::column()
        .fill()
        .pad(16)
        .child(View::label("profile_name", &account.name).text_size(TextSize::Title))
        .child(View::label("profile_user", format!("@{}", account.user)).ink(Color::FAINT));
    if app.shows_email {
        body = body.child(line("profile_email", &account.email));
    }
    let body = body.child(line("profile_bio", &account.bio)).child(line("profile_website", &account.website));
    let screen = Screen::new("Profile", body).color(COLOR).up();
    if account.user == app.current {
        screen.action("edit_profile", Icon::Pencil, "Edit profile", Action::Edit)
    } else {
        screen
    }
}

pub(super) fn edit(page: &ActivityState) -> Screen<Action> {
    let bio = View::field(accounts::BIO, "About you").multiline().high(96);
    let website = View::field(accounts::WEBSITE, "Website (optional)");
    let form = View::scroll("profile_form").pad(12).child(
        View::column()
            .wide()
            .child(blank(page, accounts::BIO, bio))
            .child(blank(page, accounts::WEBSITE, website))
            .child(View::button("save_profile", "Save profile", Action::SaveProfile).wide()),
    );
    Screen::new("Edit profile", form).color(COLOR).up()
}

pub(super) fn members(app: &Circle) -> Screen<Action> {
    let row = |(n, account): (usize, &Account)| {
        View::column()
            .id("member")
            .wide()
            .pad_sides(16, 6)
            .on_click(Action::Open(n))
            .child(View::label("member_name", &account.name))
            .child(
                View::label("member_user", format!("@{}", account.user))
                    .text_size(TextSize::Small)
                    .ink(Color::FAINT),
            )
    };
    let list = View::recycler("member_list").children(app.accounts.iter().enumerate().map(row));
    Screen::new("Members", list).color(COLOR).up()
}

pub(super) fn settings(app: &Circle) -> Screen<Action> {
    let list = View::recycler("recycler_view").child(View::setting(
        "Show e-mail addresses",
        "On profiles",
        app.shows_email,
        Action::ToggleEmail,
    ));
    Screen::new("Settings", list).color(COLOR).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Circle {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(COLOR).up()
}
