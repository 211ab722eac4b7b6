//! A host's first line: what runs there.

use serde_json::Value;

use droidmux_sim_toolkit::platform::{Declaration, DeclaredActivity};

/// The version of the protocol that is spoken here.
const VERSION: u64 = 1;

/// Most activities and permissions that are taken from an app.
const MOST: usize = 1_000;

/// What a host says about its app.
#[derive(Clone, Debug)]
pub(super) struct Hello {
    pub declaration: Declaration,
    /// API level of the framework.
    pub sdk: u32,
}

impl Hello {
    /// Reads the first line.
    pub(super) fn read(line: &Value) -> Result<Hello, String> {
        if line["droidmux-framework"].as_u64() != Some(VERSION) {
            return Err(format!("the host speaks another protocol than version {VERSION}"));
        }
        if let Some(error) = line["error"].as_str() {
            return Err(error.to_owned());
        }
        let text = |name: &str| {
            line[name].as_str().map(str::to_owned).ok_or_else(|| format!("the host tells no {name}"))
        };
        let number = |name: &str| line[name].as_u64().and_then(|number| u32::try_from(number).ok());
        let package = text("package")?;
        let asked = list(line, "asked");
        let install_permissions =
            list(line, "permissions").into_iter().filter(|permission| !asked.contains(permission)).collect();
        let activities = list(line, "activities").into_iter().map(|full| declared(&package, full)).collect();
        Ok(Hello {
            declaration: Declaration {
                label: text("label")?,
                version_name: text("version")?,
                version_code: number("version-code").unwrap_or_default(),
                min_sdk: number("min").unwrap_or_default(),
                target_sdk: number("target").unwrap_or_default(),
                activities,
                launcher: Some(text("activity")?),
                permissions: asked,
                install_permissions,
                package,
                ..Declaration::default()
            },
            sdk: number("api").ok_or("the host tells no api")?,
        })
    }
}

fn declared(package: &str, full: String) -> DeclaredActivity {
    let below = full.strip_prefix(package).and_then(|rest| rest.strip_prefix('.'));
    let short = below.unwrap_or(&full).to_owned();
    DeclaredActivity { short: short.into(), full }
}

fn list(line: &Value, name: &str) -> Vec<String> {
    let values = line[name].as_array().into_iter().flatten();
    values.filter_map(Value::as_str).take(MOST).map(str::to_owned).collect()
}
