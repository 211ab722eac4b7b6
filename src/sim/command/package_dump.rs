//! `dumpsys package PKG` and `pm dump PKG`.

use super::Call;
use super::activity::short;
use super::package::installed;
use crate::phone::{Package, Phone};

/// Where a package's code lies.
pub(super) fn apk_path(package: &Package) -> String {
    if package.system {
        return format!("/system/priv-app/{0}/{0}.apk", package.label.replace(' ', ""));
    }
    format!(
        "/data/app/~~{:08x}==/{}-{:08x}==/base.apk",
        package.uid.wrapping_mul(0x9e37_79b9),
        package.name,
        package.uid
    )
}

/// Prints what is known of the package named by the word of this number.
pub(super) fn print(call: &mut Call, word: usize) -> i32 {
    let name = call.arg(word).to_owned();
    let Some(package) = installed(call, &name) else {
        call.line(&format!("Unable to find package: {name}"));
        return 0;
    };
    let text = describe(&package, &call.device.phone());
    call.print(&text);
    0
}

fn describe(package: &Package, phone: &Phone) -> String {
    let name = &package.name;
    let handle = package.uid.wrapping_mul(0x0001_0193);
    let mut text = String::new();
    let launchers = phone.launchers_of(name);
    if !launchers.is_empty() {
        text += "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n";
        for (launcher, number) in launchers.iter().zip(0_u32..) {
            text += &format!(
                "        {:x} {} filter {:x}\n          Action: \"android.intent.action.MAIN\"\n          \
                 Category: \"android.intent.category.LAUNCHER\"\n",
                handle.wrapping_add(number),
                short(launcher),
                handle.wrapping_add(number) ^ 0xffff
            );
        }
        text += "\n";
    }
    let user = package.uid;
    let path = apk_path(package);
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    text += &format!(
        "Key Set Manager:\n  [{name}]\n      Signing KeySets: 1\n\nPackages:\n  Package [{name}] ({handle:x}):\n    \
         userId={user}\n    pkg=Package{{{handle:x} {name}}}\n    codePath={directory}\n    resourcePath={directory}\n    \
         primaryCpuAbi=null\n    versionCode={code} minSdk={min_sdk} targetSdk={target_sdk}\n    versionName={version}\n    \
         flags=[ {system}HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    dataDir=/data/user/0/{name}\n    \
         firstInstallTime=2023-11-14 22:13:20\n    lastUpdateTime=2023-11-14 22:13:20\n    \
         installerPackageName=null\n    signatures=PackageSignatures{{{handle:x} version:2, signatures:[a1b2c3d4], past signatures:[]}}\n",
        code = package.version_code,
        min_sdk = package.min_sdk,
        target_sdk = package.target_sdk,
        version = package.version_name,
        system = if package.system { "SYSTEM " } else { "" },
    );
    if !package.permissions.is_empty() || !package.install_permissions.is_empty() {
        text += "    requested permissions:\n";
        let asked = package.permissions.iter().map(|(permission, _)| permission);
        for permission in asked.chain(&package.install_permissions) {
            text += &format!("      {permission}\n");
        }
    }
    if !package.install_permissions.is_empty() {
        text += "    install permissions:\n";
        for permission in &package.install_permissions {
            text += &format!("      {permission}: granted=true\n");
        }
    }
    for (user, _) in phone.users() {
        let installed = phone.is_for(name, user);
        text += &format!(
            "    User {user}: ceDataInode=131092 installed={installed} hidden=false suspended=false distractionFlags=0 stopped=false notLaunched=false enabled=0 instant=false virtual=false\n"
        );
        if !package.permissions.is_empty() && installed {
            text += "      runtime permissions:\n";
            for (permission, granted) in &package.permissions {
                text += &format!(
                    "        {permission}: granted={granted}, flags=[ USER_SENSITIVE_WHEN_GRANTED]\n"
                );
            }
        }
    }
    text
}
