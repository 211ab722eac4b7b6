//! Accounts, and how the forms are read.

use super::{BIO_HALF, BLANK_NAME, Circle, EMAIL_PATTERN, LONG_PASSWORD, LOOK_ALIKE, NAME_CUT};
use crate::form::{
    Failure, Refusal, at_most, is_beyond_plane, is_half_pair, is_unseen, refusal, required, thrown,
};
use droidmux_sim_toolkit::ActivityState;

pub(super) const USER: &str = "user_name";
pub(super) const EMAIL: &str = "email";
pub(super) const NAME: &str = "display_name";
pub(super) const PASSWORD: &str = "password";
pub(super) const REPEAT: &str = "repeat_password";
pub(super) const BIO: &str = "bio";
pub(super) const WEBSITE: &str = "website";

/// The pattern of the wrong form tries every way to divide a run of this many letters.
const LONG_RUN: usize = 30;
/// Bytes of a password that bcrypt takes.
const HASHED: usize = 72;

/// A member. The password is checked and not kept: nothing here signs in again.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub user: String,
    pub email: String,
    pub name: String,
    pub bio: String,
    pub website: String,
}

/// Who is there before anybody signs up.
pub(super) fn members() -> Vec<Account> {
    let member = |(user, name): (&str, &str)| Account {
        user: user.into(),
        email: format!("{user}@example.org"),
        name: name.into(),
        bio: String::new(),
        website: String::new(),
    };
    [("anna", "Anna Berg"), ("ben_o", "Ben Okafor")].map(member).into()
}

/// The form of a new account.
pub(super) fn read(app: &Circle, page: &ActivityState) -> Result<Account, Failure> {
    let user = user(app, page.field(USER))?;
    let email = page.field(EMAIL).trim().to_owned();
    if !is_email(&email) {
        return Err(if app.errs(&EMAIL_PATTERN, has_long_run(&email)) {
            Failure::Hang("Input dispatching timed out (java.util.regex.Matcher.matches)")
        } else {
            refusal(EMAIL, "Enter an e-mail address such as ann@example.org").into()
        });
    }
    let name = name(app, page.field(NAME))?;
    password(page.field(PASSWORD), page.field(REPEAT))?;
    if let Some(thrown) = after_all(app, &name, page.field(PASSWORD)) {
        return Err(thrown);
    }
    let cut = name.find(is_beyond_plane).filter(|_| app.errs(&NAME_CUT, true));
    let name = cut.and_then(|at| name.get(..at)).unwrap_or(&name).to_owned();
    Ok(Account { user, email, name, bio: String::new(), website: String::new() })
}

fn user(app: &Circle, text: &str) -> Result<String, Refusal> {
    let sentence = "3 to 20 small letters, digits and _";
    let user = required(USER, text, sentence)?;
    // The wrong form asks for letters of any script.
    let strict = |char: char| matches!(char, 'a'..='z' | '0'..='9' | '_');
    let lax = |char: char| strict(char) || char.is_alphanumeric() && !char.is_uppercase();
    let takes = || app.defects.either(&LOOK_ALIKE, user.chars().all(strict), || user.chars().all(lax));
    if !(3..=20).contains(&user.chars().count()) || !takes() {
        return Err(refusal(USER, sentence));
    }
    if app.account(&user).is_some() {
        return Err(refusal(USER, "This name is taken"));
    }
    Ok(user)
}

fn name(app: &Circle, text: &str) -> Result<String, Refusal> {
    at_most(NAME, text, 60)?;
    match required(NAME, text, "How should others see you?") {
        Err(_) if app.errs(&BLANK_NAME, !text.is_empty()) => Ok(text.trim().to_owned()),
        right => right,
    }
}

fn password(password: &str, repeated: &str) -> Result<(), Refusal> {
    let has = |kind: fn(char) -> bool| password.chars().any(kind);
    let length = password.chars().count();
    if length < 8 || !has(char::is_alphabetic) || !has(char::is_numeric) {
        return Err(refusal(PASSWORD, "8 characters at least, letters and digits"));
    }
    at_most(PASSWORD, password, 128)?;
    if password != repeated { Err(refusal(REPEAT, "The passwords differ")) } else { Ok(()) }
}

/// What the wrong forms throw after everything has been checked.
fn after_all(app: &Circle, name: &str, password: &str) -> Option<Failure> {
    let blank = name.chars().all(is_unseen);
    if app.errs(&BLANK_NAME, blank) {
        return Some(thrown(
            "java.lang.StringIndexOutOfBoundsException",
            "index 0, length 0",
            &[
                "org.droidmux.signup.widget.Avatar.letter(Avatar.java:29)",
                "org.droidmux.signup.account.SignUpActivity.onCreateAccount(SignUpActivity.java:133)",
            ],
        ));
    }
    let too_long = app.errs(&LONG_PASSWORD, password.len() > HASHED);
    too_long.then(|| {
        thrown(
            "java.lang.IllegalArgumentException",
            format!("password must not be longer than {HASHED} bytes"),
            &["org.droidmux.signup.account.PasswordHasher.hash(PasswordHasher.java:22)"],
        )
    })
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let takes = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-' | '+');
    let labels: Vec<&str> = domain.split('.').collect();
    let label =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (1..=64).contains(&local.len())
        && local.chars().all(takes)
        && labels.len() >= 2
        && labels.iter().all(label)
}

fn has_long_run(text: &str) -> bool {
    text.split(|char: char| !char.is_alphanumeric()).any(|run| run.chars().count() >= LONG_RUN)
}

/// Description and website of a profile.
pub(super) fn read_profile(app: &Circle, page: &ActivityState) -> Result<(String, String), Failure> {
    let (bio, website) = (page.field(BIO), page.field(WEBSITE).trim());
    at_most(BIO, bio, 500)?;
    if !website.is_empty() && !website.starts_with("https://") && !website.starts_with("http://") {
        return Err(refusal(WEBSITE, "An address begins with https://").into());
    }
    at_most(WEBSITE, website, 200)?;
    if app.errs(&BIO_HALF, bio.contains(is_half_pair)) {
        return Err(thrown(
            "java.nio.charset.MalformedInputException",
            "Input length = 1",
            &[
                "org.droidmux.signup.account.ProfileStore.encode(ProfileStore.java:71)",
                "org.droidmux.signup.account.EditProfileActivity.onSave(EditProfileActivity.java:64)",
            ],
        ));
    }
    Ok((bio.to_owned(), website.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, is) in [
            ("ann@example.org", true),
            ("a.b+c@mail.example.org", true),
            ("ann", false),
            ("@example.org", false),
            ("ann@example", false),
            ("ann@.org", false),
            ("ann lee@example.org", false),
            ("аnn@example.org", false),
        ] {
            assert_eq!(is_email(text), is, "{text:?}");
        }
    }
}
