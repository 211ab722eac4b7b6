//! How a test begins: with which data its app starts.

/// What is done to an app before a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beginning {
    /// The data it starts with.
    pub data: TestData,
    /// Whether it is granted the permissions that it would ask the user for.
    pub grant: bool,
}

/// The data an app starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestData {
    /// None: as after its installation.
    #[default]
    Cleared,
    /// What the last test left. Cleared all the same before the first test after [`Device::prepare`].
    ///
    /// [`Device::prepare`]: super::Device::prepare
    Last,
    /// What it had when [`Device::keep`] was called. Cleared all the same before that, and on devices that let nobody
    /// copy an app's data.
    ///
    /// [`Device::keep`]: super::Device::keep
    Kept,
}

/// With which data an app did start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Began {
    /// With none.
    Afresh,
    /// With the data that was asked for.
    WithData,
}
