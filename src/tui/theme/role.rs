//! What a theme can style.

/// Declares the roles with their names in theme files, so that the two cannot drift apart.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// What a piece of the screen is. The name in theme files is given by [`Role::name`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role { $($(#[$doc])* $role,)* }

        impl Role {
            pub const ALL: [Role; Self::COUNT] = [$(Role::$role,)*];
            pub const COUNT: usize = [$($name,)*].len();

            /// The key of this role in a theme file.
            pub fn name(self) -> &'static str {
                match self { $(Role::$role => $name,)* }
            }
        }
    };
}

roles! {
    /// Ordinary text; its background fills the screen.
    Text = "text",
    /// What matters less: labels, units, equal widgets.
    Dim = "dim",
    /// What matters more.
    Strong = "strong",
    Accent = "accent",
    /// Header and footer lines.
    Bar = "bar",
    Tab = "tab",
    TabActive = "tab.active",
    Badge = "badge",
    Key = "key",
    Border = "border",
    BorderFocus = "border.focus",
    Title = "title",
    /// Column headings.
    Heading = "heading",
    Selection = "selection",
    /// The selection of a pane that does not have the focus.
    SelectionBlur = "selection.blur",
    Dialog = "dialog",
    /// Letters that a filter matched.
    Match = "match",
    Good = "good",
    Warn = "warn",
    Bad = "bad",
    Progress = "progress",
    ProgressRest = "progress.rest",
    Spark = "spark",
    /// Events inserted into a mutant.
    Inserted = "inserted",
    WidgetText = "widget.text",
    WidgetButton = "widget.button",
    WidgetEdit = "widget.edit",
    WidgetSelected = "widget.selected",
    WidgetClass = "widget.class",
    WidgetId = "widget.id",
    EffectAdded = "effect.added",
    EffectDeleted = "effect.deleted",
    EffectChanged = "effect.changed",
    /// An effect of the seed that the mutant lacks.
    EffectUnmatched = "effect.unmatched",
}
