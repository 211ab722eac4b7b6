//! One fault of a fault file: its kind, when it strikes, and the keys its kind takes.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use droidmux_sim::{Condition, End, Fault, FaultRule, LinkState, Refusal};

/// Longest time, in milliseconds: a day.
const MOST_MS: u64 = 86_400_000;

/// One `[[fault]]`: its kind, when it strikes, and what the kind needs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    kind: Kind,
    #[serde(default)]
    devices: Vec<String>,
    #[serde(default)]
    after: u64,
    until: Option<u64>,
    probability: Option<f64>,
    times: Option<u32>,
    ms: Option<u64>,
    boot_ms: Option<u64>,
    bytes: Option<u64>,
    package: Option<String>,
    permission: Option<String>,
    method: Option<String>,
    level: Option<u64>,
    charging: Option<bool>,
    status: Option<u64>,
    celsius: Option<i64>,
    secure: Option<bool>,
    anr_after: Option<u64>,
    idle: Option<bool>,
    forward_ms: Option<i64>,
    command: Option<String>,
    says: Option<String>,
    code: Option<u64>,
    stdout: Option<bool>,
    how: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Slow,
    Jitter,
    Drop,
    Lose,
    HalfOpen,
    Garbage,
    DumpNeverSettles,
    DumpWithoutFile,
    DumpStale,
    DumpNullRoot,
    DumpNoIdle,
    DumpKilled,
    DumpCut,
    DumpGarbled,
    AgentDies,
    AgentSlow,
    AgentLacks,
    AgentLies,
    DiskFull,
    AppMissing,
    Refuses,
    KillApp,
    EndAtStart,
    KillShell,
    KillAdbd,
    Reboot,
    Unplug,
    Offline,
    Unauthorized,
    ServerRestart,
    ServerHalfOpen,
    Battery,
    Heat,
    Asleep,
    Locked,
    Frozen,
    Stuck,
    PermissionDialog,
    CrashDialog,
    Keyboard,
    KeyboardStuck,
    NoBattery,
    LogOff,
    ClockJump,
}

/// What is wrong with an entry, and with which of its keys.
pub(super) struct Complaint {
    pub(super) key: Option<&'static str>,
    pub(super) what: String,
}

impl Complaint {
    fn at(key: &'static str, what: String) -> Complaint {
        Complaint { key: Some(key), what }
    }
}

impl Entry {
    pub(super) fn rule(&self) -> Result<FaultRule, Complaint> {
        let fault = self.fault()?;
        self.only_what_the_kind_needs()?;
        let mut rule = FaultRule::new(fault);
        let server = matches!(self.kind, Kind::ServerRestart | Kind::ServerHalfOpen);
        if server && !self.devices.is_empty() {
            return Err(Complaint::at("devices", format!("`{}` strikes the server, no device", self.name())));
        }
        if self.kind == Kind::AppMissing && (self.probability.is_some() || self.times.is_some()) {
            let key = if self.times.is_some() { "times" } else { "probability" };
            return Err(Complaint::at(
                key,
                format!("`{key}` means nothing to `app-missing`: use `after`, `until`"),
            ));
        }
        if let Some(probability) = self.probability {
            if !(0.0..=1.0).contains(&probability) {
                let what = format!("`probability` goes from 0.0 to 1.0, not {probability}");
                return Err(Complaint::at("probability", what));
            }
            rule = rule.chance(probability);
        }
        if let Some(until) = self.until.filter(|until| *until <= self.after) {
            let what = format!("`until = {until}` is not beyond `after = {}`: it never strikes", self.after);
            return Err(Complaint::at("until", what));
        }
        if self.times == Some(0) {
            return Err(Complaint::at("times", "with `times = 0` it never strikes".into()));
        }
        Ok(FaultRule {
            devices: self.devices.clone(),
            after: self.after,
            until: self.until,
            times: self.times.or(rule.times),
            ..rule
        })
    }

    fn fault(&self) -> Result<Fault, Complaint> {
        Ok(match self.kind {
            Kind::Slow => Fault::Slow(self.time("ms", self.ms)?),
            Kind::Jitter => Fault::Jitter(self.time("ms", self.ms)?),
            Kind::Drop => Fault::Drop(self.bytes()?),
            Kind::Lose => Fault::LoseAfter(self.bytes()?),
            Kind::HalfOpen => Fault::HalfOpen,
            Kind::Garbage => Fault::Garbage(self.bytes()?),
            Kind::DumpNeverSettles => Fault::DumpNeverSettles,
            Kind::DumpWithoutFile => Fault::DumpWithoutFile,
            Kind::DumpStale => Fault::DumpStale,
            Kind::DumpNullRoot => Fault::DumpNullRoot,
            Kind::DumpNoIdle => Fault::DumpNoIdle,
            Kind::DumpKilled => Fault::DumpKilled,
            Kind::DumpCut => Fault::DumpCut(self.bytes()?),
            Kind::DumpGarbled => Fault::DumpGarbled(self.bytes()?),
            Kind::AgentDies => Fault::AgentDies,
            Kind::AgentSlow => Fault::AgentSlow(self.time("ms", self.ms)?),
            Kind::AgentLacks => Fault::AgentLacks(self.word("method", self.method.as_ref())?),
            Kind::AgentLies => Fault::AgentLies,
            Kind::DiskFull => Fault::DiskFull,
            Kind::AppMissing => Fault::AppMissing(self.word("package", self.package.as_ref())?),
            Kind::Refuses => {
                let refusal = Refusal::of(&self.word("command", self.command.as_ref())?);
                let code = self.number("code", self.code.or(Some(refusal.code.into())), 255)?;
                let says = self.says.clone().unwrap_or_default();
                Fault::Refuses(Refusal { says, code, on_stdout: self.stdout.unwrap_or(false), ..refusal })
            }
            Kind::KillApp => Fault::Phone(Condition::AppEnds(self.end(End::Silent)?)),
            Kind::EndAtStart => Fault::EndsAtStart(self.end(End::Exception)?),
            Kind::KillShell => Fault::KillShell,
            Kind::KillAdbd => Fault::KillAdbd,
            Kind::Reboot => Fault::Reboot {
                away: self.time("ms", self.ms)?,
                boot: self.time("boot-ms", self.boot_ms.or(Some(0)))?,
            },
            Kind::Unplug => self.link(LinkState::Absent)?,
            Kind::Offline => self.link(LinkState::Offline)?,
            Kind::Unauthorized => self.link(LinkState::Unauthorized)?,
            Kind::ServerRestart => Fault::ServerRestart { away: self.time("ms", self.ms)? },
            Kind::ServerHalfOpen => Fault::ServerHalfOpen,
            _ => Fault::Phone(self.condition()?),
        })
    }

    fn condition(&self) -> Result<Condition, Complaint> {
        Ok(match self.kind {
            Kind::Battery => Condition::Battery {
                level: self.number("level", self.level, 100)?,
                charging: self.charging.unwrap_or(false),
            },
            Kind::Heat => Condition::Heat {
                status: self.number("status", self.status.or(Some(0)), 6)?,
                celsius: self.celsius()?,
            },
            Kind::Asleep => Condition::Asleep,
            Kind::Locked => Condition::Locked { secure: self.secure.unwrap_or(false) },
            Kind::Frozen => Condition::Frozen {
                anr_after: Some(self.number("anr-after", self.anr_after.or(Some(3)), 200)?),
                idle: self.idle.unwrap_or(true),
            },
            Kind::Stuck => Condition::Frozen { anr_after: None, idle: self.idle.unwrap_or(true) },
            Kind::PermissionDialog => {
                let permission = self.permission.clone();
                let permission = permission.unwrap_or_else(|| "android.permission.POST_NOTIFICATIONS".into());
                Condition::PermissionDialog { permission }
            }
            Kind::CrashDialog => {
                let package = self.package.clone().unwrap_or_else(|| "com.google.android.gms".into());
                Condition::CrashDialog { package }
            }
            Kind::Keyboard => Condition::Keyboard,
            Kind::KeyboardStuck => Condition::KeyboardStuck,
            Kind::NoBattery => Condition::NoBattery,
            Kind::LogOff => Condition::LogOff,
            Kind::ClockJump => match self.forward_ms {
                Some(ms) => Condition::ClockJump(ms),
                None => return Err(self.missing("forward-ms")),
            },
            // The others are not conditions; `fault` has named them all.
            _ => Condition::AppEnds(End::Silent),
        })
    }

    fn end(&self, usual: End) -> Result<End, Complaint> {
        const ENDS: [End; 4] = [End::Silent, End::LowMemory, End::Exception, End::Native];
        let Some(how) = &self.how else { return Ok(usual) };
        ENDS.into_iter().find(|end| end.name() == how).ok_or_else(|| {
            let names = ENDS.map(|end| format!("`{}`", end.name())).join(", ");
            Complaint::at("how", format!("`how` is one of {names}, not `{how}`"))
        })
    }

    fn link(&self, state: LinkState) -> Result<Fault, Complaint> {
        let back_after = self.ms.map(|ms| self.time("ms", Some(ms))).transpose()?;
        Ok(Fault::Link { state, back_after })
    }

    fn time(&self, key: &'static str, ms: Option<u64>) -> Result<Duration, Complaint> {
        match ms {
            Some(ms) if ms <= MOST_MS => Ok(Duration::from_millis(ms)),
            Some(ms) => Err(Complaint::at(key, format!("`{key}` goes from 0 to {MOST_MS}, not {ms}"))),
            None => Err(self.missing(key)),
        }
    }

    fn bytes(&self) -> Result<usize, Complaint> {
        const MOST: u64 = 64 << 20;
        let bytes = self.bytes.ok_or_else(|| self.missing("bytes"))?;
        usize::try_from(bytes)
            .ok()
            .filter(|_| bytes <= MOST)
            .ok_or_else(|| Complaint::at("bytes", format!("`bytes` goes from 0 to {MOST}, not {bytes}")))
    }

    fn number<T: TryFrom<u64>>(
        &self,
        key: &'static str,
        number: Option<u64>,
        most: u64,
    ) -> Result<T, Complaint> {
        let number = number.ok_or_else(|| self.missing(key))?;
        T::try_from(number)
            .ok()
            .filter(|_| number <= most)
            .ok_or_else(|| Complaint::at(key, format!("`{key}` goes from 0 to {most}, not {number}")))
    }

    fn celsius(&self) -> Result<i16, Complaint> {
        let celsius = self.celsius.ok_or_else(|| self.missing("celsius"))?;
        i16::try_from(celsius)
            .ok()
            .filter(|celsius| (-40..=150).contains(celsius))
            .ok_or_else(|| Complaint::at("celsius", format!("`celsius` goes from -40 to 150, not {celsius}")))
    }

    fn word(&self, key: &'static str, word: Option<&String>) -> Result<String, Complaint> {
        word.filter(|word| !word.is_empty()).cloned().ok_or_else(|| self.missing(key))
    }

    fn missing(&self, key: &'static str) -> Complaint {
        Complaint { key: None, what: format!("`kind = \"{}\"` needs `{key}`", self.name()) }
    }

    fn name(&self) -> String {
        // Written as serde reads it: the words of the variant with hyphens between.
        let mut name = String::new();
        for (n, letter) in format!("{:?}", self.kind).chars().enumerate() {
            if letter.is_ascii_uppercase() && n > 0 {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// A key of another kind would silently have no effect.
    fn only_what_the_kind_needs(&self) -> Result<(), Complaint> {
        let used: &[&str] = match self.kind {
            Kind::Slow
            | Kind::Jitter
            | Kind::AgentSlow
            | Kind::Unplug
            | Kind::Offline
            | Kind::Unauthorized
            | Kind::ServerRestart => &["ms"],
            Kind::Reboot => &["ms", "boot-ms"],
            Kind::Drop | Kind::Lose | Kind::Garbage | Kind::DumpCut | Kind::DumpGarbled => &["bytes"],
            Kind::AppMissing | Kind::CrashDialog => &["package"],
            Kind::PermissionDialog => &["permission"],
            Kind::AgentLacks => &["method"],
            Kind::Refuses => &["command", "says", "code", "stdout"],
            Kind::Battery => &["level", "charging"],
            Kind::Heat => &["status", "celsius"],
            Kind::Locked => &["secure"],
            Kind::Frozen => &["anr-after", "idle"],
            Kind::Stuck => &["idle"],
            Kind::KillApp | Kind::EndAtStart => &["how"],
            Kind::ClockJump => &["forward-ms"],
            _ => &[],
        };
        let given = BTreeMap::from([
            ("ms", self.ms.is_some()),
            ("boot-ms", self.boot_ms.is_some()),
            ("method", self.method.is_some()),
            ("bytes", self.bytes.is_some()),
            ("package", self.package.is_some()),
            ("permission", self.permission.is_some()),
            ("level", self.level.is_some()),
            ("charging", self.charging.is_some()),
            ("status", self.status.is_some()),
            ("celsius", self.celsius.is_some()),
            ("secure", self.secure.is_some()),
            ("anr-after", self.anr_after.is_some()),
            ("idle", self.idle.is_some()),
            ("forward-ms", self.forward_ms.is_some()),
            ("command", self.command.is_some()),
            ("says", self.says.is_some()),
            ("code", self.code.is_some()),
            ("stdout", self.stdout.is_some()),
            ("how", self.how.is_some()),
        ]);
        match given.into_iter().find(|(key, given)| *given && !used.contains(key)) {
            Some((key, _)) => {
                Err(Complaint::at(key, format!("`{key}` does nothing with `kind = \"{}\"`", self.name())))
            }
            None => Ok(()),
        }
    }
}
