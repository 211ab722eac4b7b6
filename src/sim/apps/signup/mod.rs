//! Circle: an account with a name that nobody else has, and a profile.
//!
//! Modelled on the forms of "Testing the Limits" about formats and lengths, and on its example of a
//! password that should contain letters and digits and be repeated.

use accounts::{Account, members};

use super::form::passed;
use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
};

mod accounts;
#[cfg(test)]
pub(super) mod cases;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.signup",
    label: "Circle",
    version_name: "0.9.4",
    version_code: 94,
    activities: &[WELCOME, SIGN_UP, PROFILE, EDIT, MEMBERS, SETTINGS, ABOUT],
    permissions: &[],
};

const WELCOME: &str = "WelcomeActivity";
const SIGN_UP: &str = "account.SignUpActivity";
const PROFILE: &str = "account.ProfileActivity";
const EDIT: &str = "account.EditProfileActivity";
const MEMBERS: &str = "MembersActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const LOOK_ALIKE: Defect = Defect {
    id: "signup.look-alike",
    kind: DefectKind::WrongBehaviour,
    what: "a user name with a Cyrillic letter is accepted though it looks like one that is taken",
    seed: "Testing the Limits: constraints within a widget, format and uniqueness; known of names of accounts",
};
const EMAIL_PATTERN: Defect = Defect {
    id: "signup.email-pattern",
    kind: DefectKind::Hang,
    what: "30 letters without an @ keep the pattern for e-mail addresses busy for ever",
    seed: "Testing the Limits: constraints within a widget, length and format; catastrophic backtracking",
};
const BLANK_NAME: Defect = Defect {
    id: "signup.blank-name",
    kind: DefectKind::Crash,
    what: "a display name of nothing but white space has no first letter for the avatar",
    seed: "Testing the Limits: constraints within a widget, required; StringIndexOutOfBoundsException of charAt(0)",
};
const NAME_CUT: Defect = Defect {
    id: "signup.name-cut",
    kind: DefectKind::DataLoss,
    what: "a display name is kept up to its first emoji",
    seed: "Testing the Limits: special characters inserted into a text; known of tables in MySQL's utf8",
};
const NAME_QUOTE: Defect = Defect {
    id: "signup.name-quote",
    kind: DefectKind::DataLoss,
    what: "an account with an apostrophe in its display name is not kept",
    seed: "Testing the Limits: special characters inserted into a text; a statement of SQL put together from texts",
};
const LONG_PASSWORD: Defect = Defect {
    id: "signup.long-password",
    kind: DefectKind::Crash,
    what: "a password of more than 72 bytes is refused by the hash function, not by the form",
    seed: "Testing the Limits: constraints within a widget, length; bcrypt's limit",
};
const BIO_HALF: Defect = Defect {
    id: "signup.bio-half",
    kind: DefectKind::Crash,
    what: "a description with half a surrogate pair cannot be encoded",
    seed: "Testing the Limits: special characters inserted into a text; MalformedInputException of a strict encoder",
};
const DEFECTS: &[Defect] =
    &[LOOK_ALIKE, EMAIL_PATTERN, BLANK_NAME, NAME_CUT, NAME_QUOTE, LONG_PASSWORD, BIO_HALF];

/// The circle, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Circle::new)
}

#[derive(Clone)]
struct Circle {
    accounts: Vec<Account>,
    /// The user name that is signed in.
    current: String,
    shows_email: bool,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    SignUp,
    Create,
    MyProfile,
    /// The profile of the nth account.
    Open(usize),
    Edit,
    SaveProfile,
    ToggleEmail,
    GoTo(&'static str),
}

impl Circle {
    fn new(defects: &DefectSwitches) -> Self {
        let accounts = members();
        let current = accounts.first().map(|account| account.user.clone()).unwrap_or_default();
        Self { accounts, current, shows_email: true, defects: defects.clone() }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn account(&self, user: &str) -> Option<&Account> {
        self.accounts.iter().find(|account| account.user == user)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::SignUp => ctx.start(SIGN_UP, ""),
            Action::Create => {
                if let Some(account) = passed(accounts::read(self, ctx.page()), ctx) {
                    self.create(account, ctx);
                }
            }
            Action::MyProfile => ctx.start(PROFILE, &self.current),
            Action::Open(n) => {
                if let Some(account) = self.accounts.get(n) {
                    ctx.start(PROFILE, &account.user);
                }
            }
            Action::Edit => ctx.start(EDIT, ""),
            Action::SaveProfile => {
                if let Some((bio, website)) = passed(accounts::read_profile(self, ctx.page()), ctx) {
                    if let Some(account) = self.accounts.iter_mut().find(|a| a.user == self.current) {
                        (account.bio, account.website) = (bio, website);
                    }
                    ctx.finish();
                }
            }
            Action::ToggleEmail => self.shows_email = !self.shows_email,
            Action::GoTo(activity) => ctx.start(activity, ""),
        }
    }

    fn create(&mut self, account: Account, ctx: &mut Ctx<'_, Action>) {
        self.current.clone_from(&account.user);
        // The wrong statement ends at the apostrophe, and its failure is not looked at.
        if !self.errs(&NAME_QUOTE, account.name.contains('\'')) {
            self.accounts.push(account);
        }
        ctx.finish();
        ctx.start(PROFILE, &self.current);
    }
}

impl App for Circle {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            SIGN_UP => pages::sign_up(page),
            PROFILE => pages::profile(self, page),
            EDIT => pages::edit(page),
            MEMBERS => pages::members(self),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::welcome(self),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } if ctx.page().activity() == EDIT => {
                if let Some(account) = self.account(&self.current) {
                    ctx.set_field(accounts::BIO, &account.bio);
                    ctx.set_field(accounts::WEBSITE, &account.website);
                }
            }
            _ => {}
        }
    }
}
