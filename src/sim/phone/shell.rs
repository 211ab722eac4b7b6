//! What the shell asks of apps that read intents themselves, and what such apps hear of the phone.

use super::Phone;
use droidmux_sim_toolkit::platform::{Answered, Meanwhile, News};

impl Phone {
    /// Has an app answer a command of `am`: the one of this name, or the first that reads intents at all. `None` when
    /// there is none.
    pub fn activity_command(&mut self, package: Option<&str>, words: &[String]) -> Option<Answered> {
        self.clock.input();
        let known: Vec<String> = match package {
            Some(package) => vec![package.to_owned()],
            None => self.order.clone(),
        };
        for package in known {
            let env = self.env_of(Some(&package));
            let Some(installed) = self.installed.get_mut(&package) else { continue };
            if let Some((answered, effects)) = installed.program.activity_command(words, &env) {
                self.carry_out_of(&package, effects);
                self.attend();
                return Some(answered);
            }
        }
        None
    }

    /// Somebody sets the clock.
    pub fn set_time(&mut self, to: u64) {
        let now = self.clock.now_ms();
        self.clock.jump(i64::try_from(to).unwrap_or(i64::MAX).saturating_sub_unsigned(now));
        self.tell(News::ClockAt(to));
        self.attend();
    }

    /// Lets so many milliseconds pass in which nobody touches the phone; false when no app here is on a clock that can.
    pub fn pass_time(&mut self, millis: u64, meanwhile: Meanwhile) -> bool {
        let mut passed = false;
        for package in self.order.clone() {
            let env = self.env_of(Some(&package));
            let Some(installed) = self.installed.get_mut(&package) else { continue };
            if let Some(effects) = installed.program.pass_time(millis, meanwhile, &env) {
                passed = true;
                self.carry_out_of(&package, effects);
            }
        }
        passed
    }

    /// Tells all apps what happened to the phone.
    pub(super) fn tell(&mut self, news: News) {
        for package in self.order.clone() {
            let env = self.env_of(Some(&package));
            let Some(installed) = self.installed.get_mut(&package) else { continue };
            let effects = installed.program.hear(news, &env);
            self.carry_out_of(&package, effects);
        }
    }
}
