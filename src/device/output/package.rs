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
    /// The activity with the launcher icon, if the dump tells. Obtained in this way only on systems without `cmd
    /// package` (before Android 7).
    pub launcher: Option<Component>,
}

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
        launcher: launcher(text, name),
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

/// The activity of the resolver table whose filter has the launcher's category.
fn launcher(text: &str, name: &str) -> Option<Component> {
    let mut current = None;
    for line in text.lines().map(str::trim) {
        if line.contains(" filter ") || line.ends_with(" filter") {
            current = line.split_whitespace().find_map(Component::read).filter(|c| c.package == name);
        } else if line.contains("\"android.intent.category.LAUNCHER\"") && current.is_some() {
            return current;
        } else if line.starts_with("Packages:") {
            break;
        }
    }
    None
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
        let launcher = package.launcher.map(|c| c.to_string());
        assert_eq!(launcher.as_deref(), Some("com.example.notes/com.example.notes.MainActivity"));
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
