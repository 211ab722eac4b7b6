//! `dumpsys package NAME`: version and permissions of an installed app.

use super::{Component, capped};
use droidmux_apk::is_dangerous;
use droidmux_record::AppBuild;

/// An installed app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub build: AppBuild,
    /// The permissions to grant before a test: the ones the system would ask the user for. Sorted.
    pub grants: Vec<String>,
    /// The activities with a launcher icon, as far as the dump tells, the likeliest one first: the app's own before those
    /// of the libraries in it.
    pub launchers: Vec<Component>,
    /// The users that it is installed for.
    pub users: Vec<u32>,
    /// The users that it is not installed for.
    pub strangers: Vec<u32>,
}

/// The most users and launchers read of one app.
const MAX_USERS: usize = 100;
const MAX_LAUNCHERS: usize = 50;

/// The most permissions read of one app.
const MAX_PERMISSIONS: usize = 200;

/// True for anything that can be a package's name: letters, digits, `_` and dots, nothing special to a shell.
pub(crate) fn is_package_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !name.starts_with(['.', '-'])
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// The app of this name; `None` when it is not installed (`Unable to find package: x`, or a dump
/// without its section).
pub(crate) fn read_package(text: &str, name: &str) -> Option<Package> {
    let heading = format!("Package [{name}]");
    let mut lines = text.lines().skip_while(|line| !line.trim_start().starts_with(&heading));
    lines.next()?;
    let mut package = Package {
        build: AppBuild { package: name.to_owned(), ..AppBuild::default() },
        launchers: launchers(text, name),
        ..Package::default()
    };
    let mut section = "";
    for line in lines.map(str::trim).take_while(|line| !line.starts_with("Package [")) {
        let build = &mut package.build;
        if let Some(version) = line.strip_prefix("versionName=") {
            build.version_name = capped(version, 100);
        } else if let Some(rest) = line.strip_prefix("versionCode=") {
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
            build.version_code = digits.parse().unwrap_or_default();
        } else if let Some((user, installed)) = user(line) {
            let list = if installed { &mut package.users } else { &mut package.strangers };
            if list.len() < MAX_USERS && !list.contains(&user) {
                list.push(user);
            }
        } else if let Some(heading) = line.strip_suffix(" permissions:") {
            section = heading;
        } else if !looks_like_permission(line) {
            section = "";
        } else if package.grants.len() < MAX_PERMISSIONS {
            let permission = line.split(':').next().unwrap_or(line);
            if section == "runtime" || (section == "requested" && is_dangerous(permission)) {
                package.grants.push(permission.to_owned());
            }
        }
    }
    package.grants.sort();
    package.grants.dedup();
    Some(package)
}

/// `User 10: ceDataInode=7 installed=true hidden=false …`: the user, and whether it is installed for this one.
fn user(line: &str) -> Option<(u32, bool)> {
    let (number, rest) = line.strip_prefix("User ")?.split_once(':')?;
    let installed = rest.split_whitespace().find_map(|word| word.strip_prefix("installed="))?;
    Some((number.parse().ok()?, installed == "true"))
}

/// The activities of the resolver table whose filters have the launcher's category.
fn launchers(text: &str, name: &str) -> Vec<Component> {
    let mut current: Option<Component> = None;
    let mut found: Vec<Component> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.contains(" filter ") || line.ends_with(" filter") {
            current = line.split_whitespace().find_map(Component::read).filter(|c| c.package == name);
        } else if line.contains("\"android.intent.category.LAUNCHER\"") {
            let new = current.take().filter(|new| found.len() < MAX_LAUNCHERS && !found.contains(new));
            found.extend(new);
        } else if line.starts_with("Packages:") {
            break;
        }
    }
    let shared = |component: &Component| {
        component.class.bytes().zip(name.bytes()).take_while(|(class, package)| class == package).count()
    };
    // The order of the table decides between those that are alike.
    found.sort_by_key(|component| std::cmp::Reverse(shared(component)));
    found
}

/// `android.permission.CAMERA`, `com.x.permission.Y: granted=true, flags=[…]`.
fn looks_like_permission(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    name.contains('.') && is_package_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSTALLED: &str = r#"Activity Resolver Table:
  Non-Data Actions:
      android.intent.action.MAIN:
        11aa com.example.notes/.ShareActivity filter 66cd
          Action: "android.intent.action.SEND"
        9a3c com.example.notes/.MainActivity filter 77ab
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.LAUNCHER"
Packages:
  Package [com.example.notes] (4bd52e3):
    userId=10123
    versionCode=42 minSdk=21 targetSdk=33
    versionName=1.2.3 (beta)
    declared permissions:
      com.example.notes.OWN: prot=signature
    requested permissions:
      android.permission.CAMERA
      android.permission.INTERNET
      android.permission.READ_SMS: restricted=true
    install permissions:
      android.permission.INTERNET: granted=true
    User 0: ceDataInode=1 installed=true hidden=false
      gids=[3003]
      runtime permissions:
        android.permission.POST_NOTIFICATIONS: granted=false, flags=[ USER_SENSITIVE_WHEN_GRANTED]
        com.vendor.permission.THING: granted=false
Hidden system packages:
  Package [com.example.notes] (77):
    versionCode=1 minSdk=21
    versionName=0.9
"#;

    #[test]
    fn an_installed_app() {
        let package = read_package(INSTALLED, "com.example.notes").expect("installed");
        assert_eq!(package.build.version_name, "1.2.3 (beta)");
        assert_eq!(package.build.version_code, 42);
        let grants = [
            "android.permission.CAMERA",
            "android.permission.POST_NOTIFICATIONS",
            "android.permission.READ_SMS",
            "com.vendor.permission.THING",
        ];
        assert_eq!(package.grants, grants);
        let launchers: Vec<String> = package.launchers.iter().map(ToString::to_string).collect();
        assert_eq!(launchers, ["com.example.notes/com.example.notes.MainActivity"]);
        assert_eq!((package.users, package.strangers), (vec![0], vec![]));
    }

    #[test]
    fn several_icons_and_users() {
        let icon = |class: &str| {
            format!(
                "  1a com.example.notes/{class} filter 2b\n    Category: \"android.intent.category.LAUNCHER\"\n"
            )
        };
        let text = format!(
            "Activity Resolver Table:\n{}{}{}{}Packages:\n  Package [com.example.notes] (4b):\n    \
             User 0: ceDataInode=0 installed=false hidden=false\n    User 10: ceDataInode=7 installed=true\n    \
             User 11: ceDataInode=8 installed=true stopped=true\n    User x: installed=true\n",
            icon("leaks.Canary"),
            icon(".Main"),
            icon(".Main"),
            icon("com.example.notes.Red"),
        );
        let package = read_package(&text, "com.example.notes").expect("installed");
        let launchers: Vec<&str> = package.launchers.iter().map(|launcher| launcher.class.as_str()).collect();
        assert_eq!(launchers, ["com.example.notes.Main", "com.example.notes.Red", "leaks.Canary"]);
        assert_eq!((package.users, package.strangers), (vec![10, 11], vec![0]));
    }

    #[test]
    fn a_missing_app() {
        for text in [
            "Unable to find package: com.a\n",
            "",
            "Dexopt state:\n  Unable to find package: com.a",
            INSTALLED,
        ] {
            assert_eq!(read_package(text, "com.a"), None, "{text}");
        }
    }

    #[test]
    fn names() {
        let cases = [
            ("com.example.app", true),
            ("a", true),
            ("", false),
            ("a b", false),
            ("a;reboot", false),
            ("-rf", false),
            ("a'b", false),
        ];
        for (name, expected) in cases {
            assert_eq!(is_package_name(name), expected, "{name}");
        }
    }
}
