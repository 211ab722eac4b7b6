use super::{DialogKind, system_dialog};
use droidmux_gui::{Bounds, Layout, LayoutBuilder, NewWidget};

/// A screen of widgets (package, resource-id, text).
fn screen(widgets: &[(&str, &str, &str)]) -> Layout {
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { package: widgets.first().map_or("", |w| w.0), ..NewWidget::default() });
    for (package, resource_id, text) in widgets {
        let bounds = Bounds::new(0, 0, 10, 10);
        builder.open(NewWidget { package, resource_id, text, bounds, ..NewWidget::default() });
        builder.close();
    }
    builder.finish()
}

/// Kind, message, the text of the button that goes on, the text of the one that declines.
type Expected<'a> = Option<(DialogKind, &'a str, &'a str, Option<&'a str>)>;

#[test]
fn system_dialogs_are_recognised() {
    let controller = "com.google.android.permissioncontroller";
    let of_controller = |name: &str| format!("com.android.permissioncontroller:id/{name}");
    let (message, allow, deny, once) = (
        of_controller("permission_message"),
        of_controller("permission_allow_foreground_only_button"),
        of_controller("permission_deny_button"),
        of_controller("permission_allow_one_time_button"),
    );
    let cases: [(&str, Vec<(&str, &str, &str)>, Expected<'_>); 10] = [
        (
            "a permission on Android 11",
            vec![
                (controller, &message, "Allow Notes to use the camera?"),
                (controller, &once, "Only this time"),
                (controller, &allow, "While using the app"),
                (controller, &deny, "Don't allow"),
            ],
            Some((
                DialogKind::Permission,
                "Allow Notes to use the camera?",
                "While using the app",
                Some("Don't allow"),
            )),
        ),
        (
            "a permission on Android 8",
            vec![
                (
                    "com.android.packageinstaller",
                    "com.android.packageinstaller:id/permission_deny_button",
                    "DENY",
                ),
                (
                    "com.android.packageinstaller",
                    "com.android.packageinstaller:id/permission_allow_button",
                    "ALLOW",
                ),
            ],
            Some((DialogKind::Permission, "", "ALLOW", Some("DENY"))),
        ),
        (
            "an app that wears the ids of a permission dialog",
            vec![("com.a", "com.a:id/permission_allow_button", "ALLOW")],
            None,
        ),
        (
            "an app that hangs",
            vec![
                ("android", "android:id/alertTitle", "Notes isn't responding"),
                ("android", "android:id/aerr_close", "Close app"),
                ("android", "android:id/aerr_wait", "Wait"),
            ],
            Some((DialogKind::NotResponding, "Notes isn't responding", "Wait", Some("Close app"))),
        ),
        (
            "an app that stopped",
            vec![
                ("android", "android:id/alertTitle", "Notes has stopped"),
                ("android", "android:id/aerr_restart", "Open app again"),
                ("android", "android:id/aerr_close", "Close app"),
            ],
            Some((DialogKind::Stopped, "Notes has stopped", "Close app", Some("Open app again"))),
        ),
        (
            "an app that hangs, on Android 5",
            vec![
                ("android", "android:id/message", "Notes isn't responding."),
                ("android", "android:id/button2", "WAIT"),
                ("android", "android:id/button1", "OK"),
            ],
            Some((DialogKind::NotResponding, "Notes isn't responding.", "WAIT", Some("OK"))),
        ),
        (
            "an app built for an older Android",
            vec![
                ("android", "android:id/message", "This app was built for an older version of Android."),
                ("android", "android:id/button1", "OK"),
            ],
            Some((DialogKind::Warning, "This app was built for an older version of Android.", "OK", None)),
        ),
        (
            "an app's own alert dialog, which has the framework's ids",
            vec![("com.a", "android:id/alertTitle", "Delete?"), ("com.a", "android:id/button1", "OK")],
            None,
        ),
        (
            "a share sheet",
            vec![
                ("android", "android:id/title", "Share with"),
                ("android", "android:id/button_once", "Just once"),
            ],
            None,
        ),
        ("nothing", vec![], None),
    ];
    for (name, widgets, expected) in cases {
        let layout = screen(&widgets);
        let text = |id| layout.get(id).map_or("?", |w| w.text());
        let dialog = system_dialog(&layout);
        let got = dialog.as_ref().map(|d| (d.kind, d.message.as_str(), text(d.go_on), d.decline.map(text)));
        assert_eq!(got, expected, "{name}");
    }
}
