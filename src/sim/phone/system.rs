//! Windows of the system above an app: permission request, ANR and crash dialogs, notification
//! shade, lock screen.

use droidmux_sim_toolkit::platform::{Floating, Scene, floating};
use droidmux_sim_toolkit::{Arrange, Color, Env, Extent, Gravity, TextSize, View};

/// A window of the system. While it is there it has the focus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SystemWindow {
    /// With `asked` the app waits for the answer.
    Permission {
        package: String,
        label: String,
        permission: String,
        asked: bool,
    },
    NotResponding {
        package: String,
        label: String,
    },
    /// An app has stopped.
    Stopped {
        package: String,
        label: String,
    },
    Shade,
    /// The shade pulled down further.
    QuickSettings,
    Keyguard {
        secure: bool,
    },
}

/// What its buttons do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Allow,
    Deny,
    CloseApp,
    Restart,
    Wait,
    CloseShade,
}

pub(super) const PERMISSION_CONTROLLER: &str = "com.android.permissioncontroller";
pub(super) const GRANT_ACTIVITY: &str =
    "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";

impl SystemWindow {
    /// The app it is about.
    pub(super) fn about(&self) -> Option<&str> {
        match self {
            Self::Permission { package, .. } | Self::NotResponding { package, .. } => Some(package),
            // Its app is gone already: the window stays when another one starts.
            Self::Stopped { .. } | Self::Shade | Self::QuickSettings | Self::Keyguard { .. } => None,
        }
    }

    /// Whether it stays whatever is started below it.
    pub(super) fn stays(&self) -> bool {
        matches!(self, Self::Stopped { .. })
    }

    /// Its title, as `mCurrentFocus` names it.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Permission { .. } => format!("{PERMISSION_CONTROLLER}/{GRANT_ACTIVITY}"),
            Self::NotResponding { package, .. } => format!("Application Not Responding: {package}"),
            Self::Stopped { package, .. } => format!("Application Error: {package}"),
            // The lock screen is drawn in the shade's window since Android 12.
            Self::Shade | Self::QuickSettings | Self::Keyguard { .. } => "NotificationShade".into(),
        }
    }

    /// The choice BACK makes, if it makes one.
    pub(super) fn on_back(&self) -> Option<Choice> {
        match self {
            Self::Permission { .. } => Some(Choice::Deny),
            Self::NotResponding { .. } | Self::Keyguard { .. } => None,
            Self::Stopped { .. } => Some(Choice::CloseApp),
            Self::Shade | Self::QuickSettings => Some(Choice::CloseShade),
        }
    }

    /// The window, laid out, and what its buttons mean.
    pub(super) fn floating(&self, env: &Env) -> Floating<Choice> {
        match self {
            Self::Permission { label, permission, .. } => {
                floating(request(label, permission), PERMISSION_CONTROLLER, Gravity::Center, env)
            }
            Self::NotResponding { label, .. } => {
                floating(not_responding(label), "android", Gravity::Center, env)
            }
            Self::Stopped { label, .. } => floating(stopped(label), "android", Gravity::Center, env),
            Self::Shade => floating(shade(env), "com.android.systemui", Gravity::TopStart, env),
            Self::QuickSettings => {
                floating(quick_settings(env), "com.android.systemui", Gravity::TopStart, env)
            }
            Self::Keyguard { secure } => {
                floating(keyguard(*secure, env), "com.android.systemui", Gravity::TopStart, env)
            }
        }
    }

    pub(super) fn scene(&self, env: &Env) -> Scene {
        self.floating(env).scene
    }
}

fn request(label: &str, permission: &str) -> View<Choice> {
    const ID: &str = "com.android.permissioncontroller:id/";
    let id = |name: &str| format!("{ID}{name}");
    let message = format!("Allow {label} to {}?", purpose(permission));
    let button = |name: &str, text: &str, choice| {
        View::button(id(name), text, choice).size(Extent::Fill, Extent::Dp(52))
    };
    let buttons = View::column()
        .wide()
        .child(button("permission_allow_foreground_only_button", "While using the app", Choice::Allow))
        .child(button("permission_allow_one_time_button", "Only this time", Choice::Allow))
        .child(button("permission_deny_button", "Don’t allow", Choice::Deny));
    let panel = View::column()
        .id(id("grant_dialog"))
        .wide()
        .background(Color::WHITE)
        .rounded(16)
        .pad(16)
        .child(
            View::label(id("permission_message"), message)
                .wide()
                .multiline()
                .text_size(TextSize::Title)
                .margin(8, 8, 8, 16),
        )
        .child(buttons);
    let content = View::frame().id("android:id/content").wide().child(panel);
    View::frame().size(Extent::Dp(328), Extent::Wrap).child(content)
}

/// What a permission allows, in Android's words.
fn purpose(permission: &str) -> &str {
    match permission.rsplit('.').next().unwrap_or_default() {
        "CAMERA" => "take pictures and record video",
        "RECORD_AUDIO" => "record audio",
        "ACCESS_FINE_LOCATION" | "ACCESS_COARSE_LOCATION" => "access this device’s location",
        "READ_CONTACTS" => "access your contacts",
        "POST_NOTIFICATIONS" => "send you notifications",
        "READ_EXTERNAL_STORAGE" | "WRITE_EXTERNAL_STORAGE" => "access photos and media on your device",
        other => other,
    }
}

fn not_responding(label: &str) -> View<Choice> {
    let buttons = [
        ("android:id/aerr_close", "Close app", Choice::CloseApp),
        ("android:id/aerr_wait", "Wait", Choice::Wait),
    ];
    error_dialog(format!("{label} isn’t responding"), buttons)
}

fn stopped(label: &str) -> View<Choice> {
    let buttons = [
        ("android:id/aerr_restart", "Open app again", Choice::Restart),
        ("android:id/aerr_close", "Close app", Choice::CloseApp),
    ];
    error_dialog(format!("{label} has stopped"), buttons)
}

fn error_dialog(title: String, buttons: [(&'static str, &str, Choice); 2]) -> View<Choice> {
    let title = View::label("android:id/alertTitle", title).wide().multiline().text_size(TextSize::Title);
    let top = View::column()
        .id("android:id/topPanel")
        .wide()
        .child(View::column().id("android:id/title_template").wide().pad_sides(24, 16).child(title));
    let button = |(id, text, choice): (&'static str, &str, Choice)| View::button(id, text, choice).wide();
    let custom = View::frame().id("android:id/customPanel").wide().child(
        View::frame()
            .id("android:id/custom")
            .wide()
            .child(View::column().wide().pad_sides(0, 8).children(buttons.map(button))),
    );
    let panel = View::column()
        .id("android:id/parentPanel")
        .wide()
        .background(Color::WHITE)
        .rounded(4)
        .child(top)
        .child(custom);
    let content = View::frame().id("android:id/content").wide().child(panel);
    View::frame().size(Extent::Dp(312), Extent::Wrap).child(View::frame().wide().child(content))
}

fn shade(env: &Env) -> View<Choice> {
    const ID: &str = "com.android.systemui:id/";
    let id = |name: &str| format!("{ID}{name}");
    let header = View::row()
        .id(id("header"))
        .wide()
        .pad(16)
        .child(View::label(id("clock"), env.now().clock_text()).text_size(TextSize::Title));
    let empty = View::label(id("no_notifications"), "No notifications").pad(16);
    let panel = View::new("android.widget.FrameLayout", Arrange::Column)
        .id(id("notification_panel"))
        .fill()
        .background(Color(236, 239, 241))
        .child(header)
        .child(empty);
    View::frame().fill().child(panel)
}

/// The tiles are only for show: nothing that they switch is simulated.
fn quick_settings(env: &Env) -> View<Choice> {
    const ID: &str = "com.android.systemui:id/";
    let id = |name: &str| format!("{ID}{name}");
    let clock = View::label(id("clock"), env.now().clock_text()).text_size(TextSize::Title);
    let tile = |name: &&str| View::label(id("tile_label"), *name).wide().pad(16);
    let tiles = ["Internet", "Bluetooth", "Do Not Disturb", "Flashlight", "Auto-rotate", "Battery Saver"];
    let tiles = View::column().id(id("quick_settings_panel")).wide().children(tiles.iter().map(tile));
    let panel = View::new("android.widget.FrameLayout", Arrange::Column)
        .id(id("notification_panel"))
        .fill()
        .background(Color(236, 239, 241))
        .child(View::row().id(id("header")).wide().pad(16).child(clock))
        .child(tiles);
    View::frame().fill().child(panel)
}

fn keyguard(secure: bool, env: &Env) -> View<Choice> {
    const ID: &str = "com.android.systemui:id/";
    let id = |name: &str| format!("{ID}{name}");
    let clock = View::label(id("lockscreen_clock_view"), env.now().clock_text()).text_size(TextSize::Title);
    let hint = if secure { "Enter your PIN" } else { "Swipe up to open" };
    let panel = View::new("android.widget.FrameLayout", Arrange::Column)
        .id(id("keyguard_root_view"))
        .fill()
        .background(Color(38, 50, 56))
        .child(clock.ink(Color::WHITE).pad(24))
        .child(View::label(id("keyguard_indication_text"), hint).ink(Color::WHITE).pad(24));
    View::frame().fill().child(panel)
}
