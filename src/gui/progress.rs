//! Whether a screen shows that the app is busy.

use super::{Flags, Layout, Widget};

impl Layout {
    /// True while a page shows that it is working: the classes of the platform's progress indicators.
    pub fn is_loading(&self) -> bool {
        self.widgets().any(Widget::is_progress)
    }
}

impl Widget<'_> {
    /// A visible progress indicator of the platform or its libraries, turning or filling.
    pub fn is_progress(self) -> bool {
        let class = self.short_class();
        !self.has(Flags::INVISIBLE) && (class.ends_with("ProgressBar") || class.contains("ProgressIndicator"))
    }

    /// A progress indicator that turns without saying how far it has got: it is as high as it is wide, whereas one that
    /// fills is a strip.
    pub fn is_spinner(self) -> bool {
        let bounds = self.bounds();
        self.is_progress() && bounds.width() <= bounds.height().saturating_mul(2)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bounds, Flags, LayoutBuilder, NewWidget};

    #[test]
    fn indicators_of_work() {
        let (square, strip) = (Bounds::new(0, 0, 90, 90), Bounds::new(0, 0, 900, 12));
        // class, where, invisible; whether the page works, whether it says how far
        let cases = [
            ("android.widget.ProgressBar", square, false, (true, true)),
            ("android.widget.ProgressBar", strip, false, (true, false)),
            (
                "com.google.android.material.progressindicator.CircularProgressIndicator",
                square,
                false,
                (true, true),
            ),
            ("android.widget.ProgressBar", square, true, (false, false)),
            ("android.widget.SeekBar", strip, false, (false, false)),
            ("android.widget.RatingBar", strip, false, (false, false)),
        ];
        for (class, bounds, hidden, expected) in cases {
            let mut builder = LayoutBuilder::new();
            let flags = Flags::ENABLED.with(Flags::INVISIBLE, hidden);
            builder.open(NewWidget { class, bounds, flags, ..NewWidget::default() });
            let layout = builder.finish();
            let spins = layout.widgets().any(|widget| widget.is_spinner());
            assert_eq!((layout.is_loading(), spins), expected, "{class} {bounds:?} {hidden}");
        }
    }
}
