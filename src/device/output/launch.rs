//! Which activity an app starts with, and whether it started.

use super::Component;

/// The result of `am start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Started {
    /// Started, or brought to the front.
    Yes,
    /// The app has no such activity, or no longer has it.
    NoSuchActivity,
    /// Anything else that `am` reported as an error.
    Failed(String),
}

/// Reads `cmd package resolve-activity --brief PACKAGE`: the launcher is on the last line. An activity of another package
/// is the system's, which lets the user choose among several (`android/…ResolverActivity`, vendors have their own).
pub(crate) fn read_launcher(text: &str, package: &str) -> Option<Component> {
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    last.and_then(Component::read).filter(|launcher| launcher.package == package)
}

/// Reads what `am start -W -n COMPONENT` printed, both outputs together: warnings are on one or
/// the other. A time-out (`Status: timeout`) is a slow start, not a failed one.
pub(crate) fn read_start(text: &str) -> Started {
    let error = text.lines().map(str::trim).find(|line| {
        line.starts_with("Error") || line.contains("Exception") || line.starts_with("Can't find service")
    });
    match error {
        None => Started::Yes,
        Some(_) if text.contains("does not exist") => Started::NoSuchActivity,
        Some(line) => Started::Failed(super::capped(line, 300)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers() {
        let cases = [
            (
                "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.boats/com.boats.MainActivity\n",
                Some("com.boats/com.boats.MainActivity"),
            ),
            ("com.boats/.Main\r\n\r\n", Some("com.boats/com.boats.Main")),
            ("isDefault=false\nandroid/com.android.internal.app.ResolverActivity\n", None),
            ("com.vendor.chooser/.PickActivity", None),
            ("No activity found\n", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(
                read_launcher(text, "com.boats").map(|c| c.to_string()).as_deref(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn starts() {
        let cases = [
            (
                "Starting: Intent { cmp=com.google.android.calculator/com.android.calculator2.Calculator }\nStatus: ok\nLaunchState: COLD\nActivity: com.google.android.calculator/com.android.calculator2.Calculator\nTotalTime: 357\nWaitTime: 377\nComplete\n",
                Started::Yes,
            ),
            (
                "Starting: Intent { cmp=a/.B }\nWarning: Activity not started, its current task has been brought to the front\nStatus: ok\n",
                Started::Yes,
            ),
            ("Starting: Intent { cmp=a/.B }\nStatus: timeout\n", Started::Yes),
            (
                "Starting: Intent { cmp=a/.B }\nError type 3\nError: Activity class {a/a.B} does not exist.\n",
                Started::NoSuchActivity,
            ),
            (
                "java.lang.SecurityException: Permission Denial: starting Intent\n",
                Started::Failed("java.lang.SecurityException: Permission Denial: starting Intent".into()),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(read_start(text), expected, "{text}");
        }
    }
}
