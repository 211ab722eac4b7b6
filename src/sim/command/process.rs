//! Processes and the user: `ps pidof kill killall id whoami uname date uptime nproc`.

use super::{Call, Command, light};
use crate::agent;

pub(super) const COMMANDS: &[Command] = &[
    light("ps", ps),
    light("pidof", pidof),
    light("pgrep", pidof),
    light("kill", kill),
    light("pkill", kill),
    light("killall", kill),
    light("id", id),
    light("whoami", |call| {
        call.line("shell");
        0
    }),
    light("uname", uname),
    light("date", date),
    light("uptime", uptime),
    light("nproc", |call| {
        call.line("8");
        0
    }),
];

/// The name of the process that runs the agent.
const AGENT: &str = "app_process";

/// Processes every phone has: name, id, user.
const SYSTEM: [(&str, u32, &str); 4] = [
    ("init", 1, "root"),
    ("adbd", 400, "shell"),
    ("system_server", 731, "system"),
    ("com.android.systemui", 1_234, "u0_a86"),
];

fn processes(call: &Call) -> Vec<(String, u32, String)> {
    let apps = call.device.phone().focus().processes;
    let mut all: Vec<(String, u32, String)> =
        SYSTEM.iter().map(|(name, pid, user)| ((*name).to_owned(), *pid, (*user).to_owned())).collect();
    if call.device.has_agent() {
        all.push((AGENT.to_owned(), agent::PID, "shell".to_owned()));
    }
    for (name, pid) in apps {
        if all.iter().all(|(known, ..)| *known != name) {
            all.push((name, pid, "u0_a123".to_owned()));
        }
    }
    all
}

/// `ps [-A] [-e] [-f] [-p PID] [-o FIELDS]`.
fn ps(call: &mut Call) -> i32 {
    let all = processes(call);
    let only = call.option("-p").map(str::to_owned);
    let fields = call.option("-o").map(str::to_owned);
    match &fields {
        Some(fields) => call.line(&fields.to_uppercase().replace(',', " ")),
        None => call.line("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME"),
    }
    for (name, pid, user) in all {
        if only.as_ref().is_some_and(|only| *only != pid.to_string()) {
            continue;
        }
        match &fields {
            Some(fields) => {
                let cells: Vec<String> = fields
                    .split(',')
                    .map(|field| match field.to_uppercase().as_str() {
                        "PID" => pid.to_string(),
                        "USER" => user.clone(),
                        "PPID" => "1".to_owned(),
                        _ => name.clone(),
                    })
                    .collect();
                call.line(&cells.join(" "));
            }
            None => {
                call.line(&format!("{user:<12} {pid:>5}     1 1234567  98765 0                   0 S {name}"))
            }
        }
    }
    0
}

fn pidof(call: &mut Call) -> i32 {
    let wanted = call.words.last().cloned().unwrap_or_default();
    let found: Vec<String> = processes(call)
        .into_iter()
        .filter(|(name, ..)| *name == wanted)
        .map(|(_, pid, _)| pid.to_string())
        .collect();
    if found.is_empty() {
        return 1;
    }
    call.line(&found.join(" "));
    0
}

/// A shell user may not signal apps; of its own only a resident agent runs.
fn kill(call: &mut Call) -> i32 {
    let wanted = call.words.last().cloned().unwrap_or_default();
    if (wanted == AGENT || wanted == agent::PID.to_string()) && call.device.kill_agent() {
        return 0;
    }
    let all = processes(call);
    let found = all.iter().any(|(name, pid, _)| *name == wanted || pid.to_string() == wanted);
    if found {
        call.complain(&format!("/system/bin/sh: kill: {wanted}: Operation not permitted"));
    } else if call.arg(0) == "kill" {
        call.complain(&format!("/system/bin/sh: kill: {wanted}: No such process"));
    }
    1
}

fn id(call: &mut Call) -> i32 {
    let text = if call.has("-u") {
        "2000"
    } else {
        "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid) context=u:r:shell:s0"
    };
    call.line(text);
    0
}

fn uname(call: &mut Call) -> i32 {
    let text = match call.arg(1) {
        "-m" => "aarch64",
        "-r" => "5.10.0-sim",
        "-a" => "Linux localhost 5.10.0-sim #1 SMP PREEMPT Tue Nov 14 22:13:20 UTC 2023 aarch64 Toybox",
        _ => "Linux",
    };
    call.line(text);
    0
}

/// `date [+FORMAT]` by the phone's own clock, in UTC.
fn date(call: &mut Call) -> i32 {
    let ms = call.device.phone().now_ms();
    let format = call.words.iter().skip(1).find_map(|word| word.strip_prefix('+')).map(str::to_owned);
    let text = Moment::of(ms).print(format.as_deref().unwrap_or("%a %b %e %H:%M:%S UTC %Y"));
    call.line(&text);
    0
}

fn uptime(call: &mut Call) -> i32 {
    let ms = call.device.phone().now_ms();
    let text = Moment::of(ms).print(" %H:%M:%S up 1 day,  0 users,  load average: 0.00, 0.00, 0.00");
    call.line(&text);
    0
}

/// A point in time split into what a calendar shows.
struct Moment {
    ms: u64,
    year: i64,
    month: usize,
    day: u64,
    seconds: u64,
}

impl Moment {
    /// By Howard Hinnant's `civil_from_days`.
    fn of(ms: u64) -> Moment {
        let seconds = ms / 1_000;
        let shifted = seconds / 86_400 + 719_468;
        let era = shifted / 146_097;
        let day_of_era = shifted % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = i64::try_from(year_of_era + era * 400).unwrap_or(0) + i64::from(month <= 2);
        Moment { ms, year, month: usize::try_from(month).unwrap_or(1), day, seconds: seconds % 86_400 }
    }

    fn print(&self, format: &str) -> String {
        const MONTHS: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        let (hour, minute, second) = (self.seconds / 3_600, self.seconds / 60 % 60, self.seconds % 60);
        let week = usize::try_from(self.ms / 86_400_000 % 7).unwrap_or(0);
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            out += &match chars.next() {
                Some('Y') => self.year.to_string(),
                Some('m') => format!("{:02}", self.month),
                Some('d') => format!("{:02}", self.day),
                Some('e') => format!("{:2}", self.day),
                Some('H') => format!("{hour:02}"),
                Some('M') => format!("{minute:02}"),
                Some('S') => format!("{second:02}"),
                Some('s') => (self.ms / 1_000).to_string(),
                Some('N') => format!("{:09}", self.ms % 1_000 * 1_000_000),
                Some('F') => format!("{}-{:02}-{:02}", self.year, self.month, self.day),
                Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
                Some('a') => DAYS.get(week).copied().unwrap_or_default().to_owned(),
                Some('b') => MONTHS.get(self.month - 1).copied().unwrap_or_default().to_owned(),
                Some('Z') => "UTC".to_owned(),
                Some('z') => "+0000".to_owned(),
                Some('%') => "%".to_owned(),
                Some(other) => format!("%{other}"),
                None => "%".to_owned(),
            };
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (ms, format, expected) in [
            (0, "%a %b %e %H:%M:%S UTC %Y", "Thu Jan  1 00:00:00 UTC 1970"),
            (1_700_000_000_123, "%F %T", "2023-11-14 22:13:20"),
            (951_782_400_000, "%F", "2000-02-29"),
            (1_709_164_800_000, "%m-%d %H:%M:%S.%N", "02-29 00:00:00.000000000"),
            (1_700_000_000_123, "%s", "1700000000"),
        ] {
            assert_eq!(Moment::of(ms).print(format), expected);
        }
    }
}
