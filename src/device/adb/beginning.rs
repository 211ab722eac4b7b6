//! Making an app ready for a test: its data, its permissions, the screen upright, its first window.
//!
//! In: a package and with which data it begins. Out: with which data it did. Invariants: data is only ever what was asked
//! for or none; a copy of it is compared with what it was made of before a test begins; all of it goes in one request
//! where nothing has to be looked up first.

use super::application::check;
use super::device::AdbDevice;
use super::foreground::KEYBOARD;
use super::shell::quoted;
use crate::output::{Started, read_start};
use crate::{Began, Beginning, DeviceErrorKind, TestData};

impl AdbDevice {
    /// Puts back what events changed around the app, gives it the data of `beginning`, turns the screen upright, and
    /// starts it.
    pub(super) async fn begin_now(&self, name: &str, beginning: Beginning) -> Result<Began, DeviceErrorKind> {
        check(name)?;
        self.life().ended_by_us(name);
        self.put_surroundings_back().await?;
        let known = self.known().packages.get(name).cloned();
        let package = match known {
            Some(package) => package,
            None => self.package_now(name).await?,
        };
        let user = self.as_user(name);
        let with_data = match beginning.data {
            TestData::Cleared => None,
            TestData::Last => {
                self.known().begun.contains(name).then(|| format!("am force-stop{user} {name}"))
            }
            TestData::Kept => self.known().copies.get(name).map(|copy| copy.restoring(name, &user)),
        };
        let mut script = self.marks().script();
        match &with_data {
            Some(command) => script.section("data", &format!("{command} 2>&1")),
            None => {
                script.section("data", &format!("pm clear{user} {name} 2>&1"));
                for permission in package.grants.iter().filter(|_| beginning.grant) {
                    // Fails for permissions that this system does not let anyone change: the app then
                    // asks, as it would a person.
                    script.section("grant", &format!("pm grant{user} {name} {} 2>&1", quoted(permission)));
                }
            }
        }
        script.section("upright", &format!("{} 2>&1", self.turn_command(0)));
        self.place().starts(name);
        let chosen = self.place().activity(name);
        let launcher = self.known().launchers.get(name).cloned().filter(|_| chosen.is_none());
        if let Some(launcher) = &launcher {
            script.section("start", &self.start_command(launcher));
            script.section("focus", &self.focus_command().await?);
            script.section("keyboard", KEYBOARD);
        }
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let said = sections.text("data");
        match (&with_data, beginning.data) {
            (None, _) => self.cleared(name, &said).await?,
            (Some(_), TestData::Kept) if !self.is_restored(name, &said) => {
                return Box::pin(self.begin_now(name, Beginning { data: TestData::Cleared, ..beginning }))
                    .await;
            }
            (Some(_), _) => {}
        }
        self.known().begun.insert(name.to_owned());
        self.life().started(name);
        self.has_moved();
        let started = launcher.is_some() && read_start(&sections.text("start")) == Started::Yes;
        let in_front =
            started && self.page(&sections.text("focus"), &sections.text("keyboard")).await?.package == name;
        if !in_front {
            self.start_now(name).await?;
        }
        Ok(if with_data.is_some() { Began::WithData } else { Began::Afresh })
    }

    async fn cleared(&self, name: &str, said: &str) -> Result<(), DeviceErrorKind> {
        if said.lines().any(|line| line.trim() == "Success") {
            return Ok(());
        }
        // Gone since it was looked up, or refused.
        self.known().packages.remove(name);
        self.package_now(name).await?;
        let advice = self.clear_advice(name, said);
        if advice.is_empty() {
            return Err(self.failed("pm clear", 0, said).await);
        }
        let (user, said) = (self.as_user(name), said.trim());
        Err(DeviceErrorKind::Answer(format!(
            "pm clear{user} {name} said `{said}`, so its data is still there{advice}"
        )))
    }

    /// Whether the data is what was kept. If not, it is not used again.
    fn is_restored(&self, name: &str, said: &str) -> bool {
        let whole = self.known().copies.get(name).is_some_and(|copy| copy.is_whole(said));
        if !whole {
            self.known().copies.remove(name);
            let said: String = said.trim().chars().take(200).collect();
            self.remark(&format!(
                "the data kept of {name} did not come back as it was (`{said}`): cleared instead"
            ));
        }
        whole
    }
}
