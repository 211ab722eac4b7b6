//! The numbers of the keys that a phone and an app both know of, after AOSP's `KeyEvent.java`.

/// Leaves the app for the home screen.
pub const HOME: u32 = 3;
/// Goes back.
pub const BACK: u32 = 4;
/// Moves the cursor to the left.
pub const DPAD_LEFT: u32 = 21;
/// Moves the cursor to the right.
pub const DPAD_RIGHT: u32 = 22;
/// The tabulator.
pub const TAB: u32 = 61;
/// Ends a line, or agrees.
pub const ENTER: u32 = 66;
/// Deletes before the cursor.
pub const DEL: u32 = 67;
/// Opens the menu.
pub const MENU: u32 = 82;
/// Deletes after the cursor.
pub const FORWARD_DEL: u32 = 112;
/// Moves the cursor to the beginning.
pub const MOVE_HOME: u32 = 122;
/// Moves the cursor to the end.
pub const MOVE_END: u32 = 123;
