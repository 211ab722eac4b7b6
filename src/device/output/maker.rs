//! Who made a phone, by `ro.product.manufacturer` and `ro.product.brand`, and where its settings hide the switches that a
//! tester needs: the names are those on the phones of 2020 to 2025.

/// A maker whose phones keep the shell from what testers need, until a switch is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    Xiaomi,
    Oppo,
    Vivo,
    Huawei,
    Samsung,
    Meizu,
    Other,
}

/// Words of manufacturers and brands, in lower case.
const NAMES: [(&str, Maker); 16] = [
    ("xiaomi", Maker::Xiaomi),
    ("redmi", Maker::Xiaomi),
    ("poco", Maker::Xiaomi),
    ("blackshark", Maker::Xiaomi),
    ("oppo", Maker::Oppo),
    ("realme", Maker::Oppo),
    ("oneplus", Maker::Oppo),
    ("vivo", Maker::Vivo),
    ("iqoo", Maker::Vivo),
    ("huawei", Maker::Huawei),
    ("honor", Maker::Huawei),
    ("hihonor", Maker::Huawei),
    ("samsung", Maker::Samsung),
    ("meizu", Maker::Meizu),
    ("mblu", Maker::Meizu),
    ("meilan", Maker::Meizu),
];

impl Maker {
    /// By the manufacturer and the brand, whichever is known.
    pub(crate) fn of(manufacturer: &str, brand: &str) -> Self {
        let words = [brand, manufacturer].map(str::to_lowercase);
        let words = words.iter().flat_map(|words| words.split(|c: char| !c.is_alphanumeric()));
        let mut known = words.filter_map(|word| NAMES.iter().find(|(name, _)| *name == word));
        known.next().map_or(Self::Other, |(_, maker)| *maker)
    }

    /// What to do on a phone that keeps the shell from changing settings, touching, or clearing an app's data.
    pub(crate) fn lets_shell_act(self) -> &'static str {
        match self {
            Self::Xiaomi => {
                "on Xiaomi, Redmi and POCO, Developer options: switch on \"USB debugging (Security settings)\" (it asks for \
                 a Mi account and a SIM card), then reconnect the phone"
            }
            Self::Oppo => {
                "on OPPO, realme and OnePlus, Developer options: switch on \"Disable permission monitoring\", then restart \
                 the phone"
            }
            Self::Vivo => {
                "on vivo and iQOO, Developer options: switch on \"USB debugging (Security settings)\", on older ones \"USB \
                 simulated click\", then reconnect the phone"
            }
            Self::Huawei => {
                "on Huawei and Honor, Developer options: switch on \"USB debugging\" and \"Allow ADB debugging in charge only \
                 mode\", revoke its authorisations, reconnect the phone and allow it again"
            }
            Self::Samsung => {
                "on Samsung, Settings, Security and privacy: switch off \"Auto Blocker\", and see that no work profile or Knox \
                 policy forbids it; then reconnect the phone"
            }
            Self::Meizu | Self::Other => {
                "in its Developer options switch on what lets USB debugging change settings and simulate touches (\"USB \
                 debugging (Security settings)\", \"Disable permission monitoring\"), then reconnect it; on a managed phone \
                 its administrator may forbid it"
            }
        }
    }

    /// What to do on a phone that writes no log, or shows it to nobody.
    pub(crate) fn lets_log_be_read(self) -> &'static str {
        match self {
            Self::Huawei => {
                "on Huawei and Honor, dial *#*#2846579#*#*, Background settings, Log settings: switch on the AP log, then \
                 restart the phone"
            }
            Self::Meizu => {
                "on Meizu, Developer options, Performance: set \"Advanced log output\" to \"Allow all\""
            }
            Self::Vivo => {
                "on vivo and iQOO, dial *#*#112#*#* and begin a log, or choose a size under Developer options, \"Logger buffer \
                 sizes\""
            }
            Self::Xiaomi | Self::Oppo | Self::Samsung | Self::Other => {
                "in its Developer options choose a size under \"Logger buffer sizes\" (not \"Off\"), and try `adb shell setprop \
                 persist.log.tag \"\"`; then restart it"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makers_are_known_by_either_name() {
        let cases = [
            ("Xiaomi", "Redmi", Maker::Xiaomi),
            ("Xiaomi", "POCO", Maker::Xiaomi),
            ("", "xiaomi", Maker::Xiaomi),
            ("OPPO", "OPPO", Maker::Oppo),
            ("realme", "realme", Maker::Oppo),
            ("OnePlus", "OnePlus", Maker::Oppo),
            ("vivo", "iQOO", Maker::Vivo),
            ("HUAWEI", "HONOR", Maker::Huawei),
            ("samsung", "", Maker::Samsung),
            ("SAMSUNG ELECTRONICS", "", Maker::Samsung),
            ("Meizu", "mblu", Maker::Meizu),
            ("Google", "google", Maker::Other),
            ("Vivotek", "", Maker::Other),
            ("", "", Maker::Other),
        ];
        for (manufacturer, brand, expected) in cases {
            assert_eq!(Maker::of(manufacturer, brand), expected, "{manufacturer}, {brand}");
        }
    }
}
