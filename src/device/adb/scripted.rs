
//! An ADB server for tests that says what it is told to say.
