//! `dumpsys`: windows, activities, input, and the way to the others. Forms of Android 11 to 13.

use super::activity::short;
use super::health::{battery, power, thermal};
use super::{Call, Command, light, package_dump};
use crate::phone::{Display, Focus, Phone};

pub(super) const COMMANDS: &[Command] = &[light("dumpsys", dumpsys)];

/// A section's printer, with the phone and the words after the service's name.
type Section = fn(&Phone, &[String]) -> String;

const SECTIONS: [(&str, Section); 14] = [
    ("SurfaceFlinger", surface_flinger),
    ("activity", activity),
    ("battery", battery),
    ("connectivity", connectivity),
    ("cpuinfo", cpuinfo),
    ("display", display),
    ("dropbox", dropbox),
    ("input", input),
    ("input_method", input_method),
    ("meminfo", meminfo),
    ("notification", notification),
    ("power", power),
    ("thermalservice", thermal),
    ("window", window),
];

/// `dumpsys [-t SECONDS] SERVICE …`; an unknown service is reported on the output, with code 0.
fn dumpsys(call: &mut Call) -> i32 {
    let mut words = call.args(1);
    if words.first().is_some_and(|word| word == "-t") {
        words.drain(..words.len().min(2));
    }
    let Some((service, rest)) = words.split_first() else {
        call.unknown();
        return 0;
    };
    if service == "-l" {
        let names: String = SECTIONS.iter().map(|(name, _)| format!("  {name}\n")).collect();
        call.print(&format!("Currently running services:\n{names}  package\n"));
        return 0;
    }
    if service == "package" {
        let at = call.words.iter().position(|word| word == "package").unwrap_or(1);
        return package_dump::print(call, at + 1);
    }
    let Some((_, section)) = SECTIONS.iter().find(|(name, _)| name == service) else {
        call.unknown();
        call.line(&format!("Can't find service: {service}"));
        return 0;
    };
    let text = section(&call.device.phone(), rest);
    call.print(&text);
    0
}

/// A stable stand-in for the identity hash code in braces.
fn handle(of: &str) -> u32 {
    let hash =
        of.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash & 0x0fff_ffff
}

fn component(focus: &Focus) -> String {
    format!("{}/{}", focus.package, focus.activity)
}

/// `ActivityRecord{b3a1ec9 u0 pkg/.Act t82}`, or null on a phone that shows nothing.
fn record(phone: &Phone, focus: &Focus) -> String {
    if focus.package.is_empty() {
        return "null".to_owned();
    }
    let (component, user) = (component(focus), user_of(phone, &focus.package));
    format!("ActivityRecord{{{:x} u{user} {} t{}}}", handle(&component), short(&component), focus.task)
}

fn window_name(phone: &Phone, focus: &Focus) -> String {
    if focus.window.is_empty() {
        return "null".to_owned();
    }
    let user = user_of(phone, &focus.package);
    format!("Window{{{:x} u{user} {}}}", handle(&format!("window {}", focus.window)), focus.window)
}

/// The user as whom a package runs.
fn user_of(phone: &Phone, package: &str) -> u32 {
    let current = phone.current_user();
    if phone.is_for(package, current) { current } else { phone.app_user() }
}

fn window(phone: &Phone, words: &[String]) -> String {
    match words.first().map_or("", String::as_str) {
        "displays" | "d" => displays(phone),
        "windows" | "w" | "visible" => windows(phone),
        "policy" | "p" => policy(phone),
        _ => format!("{}\n{}\n{}", policy(phone), displays(phone), windows(phone)),
    }
}

fn notification(phone: &Phone, _: &[String]) -> String {
    let lines: String = phone.notifications().iter().map(|line| format!("{line}\n")).collect();
    let toasts = phone.shown_toast().map(|text| format!("  Toast Queue:\n    {}\n  \n", toast(phone, text)));
    let toasts = toasts.unwrap_or_default();
    format!("Current Notification Manager state:\n{toasts}  Notification List:\n{lines}")
}

/// The one toast that shows. Before Android 11 the service does not know what it says.
fn toast(phone: &Phone, text: &str) -> String {
    let identity = handle(&format!("toast {}", phone.toasts()));
    let package = phone.focus().package;
    if phone.options().sdk < 30 {
        return format!(
            "ToastRecord{{{identity:x} pkg={package} callback=android.app.ITransientNotification$Stub$Proxy@1 duration=0}}"
        );
    }
    let uid = user_of(phone, &package);
    format!(
        "TextToastRecord{{{identity:x} 2000:{package}/u{uid}a101 isSystemToast=false token=android.os.BinderProxy@7789b20 text={text} duration=0}}"
    )
}

fn displays(phone: &Phone) -> String {
    let each = phone.displays().into_iter().map(|display| display_contents(phone, display.id));
    let each: String = each.collect();
    format!("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n{each}")
}

fn display_contents(phone: &Phone, display: u32) -> String {
    let focus = phone.focus_of(display);
    let rotation = if display == phone.stage() { phone.rotation() } else { 0 };
    let (width, height) = phone.size();
    let (initial_width, initial_height) = phone.options().size;
    let (density, on) = (phone.options().density, phone.is_screen_on());
    format!(
        "  Display: mDisplayId={display} (organized)\n    \
         init={initial_width}x{initial_height} {density}dpi mMinSizeOfResizeableTaskDp=220 cur={width}x{height} app={width}x{height} rng=1080x1008-1920x1848\n    \
         deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion((0,0,{width},{height}))\n\n  \
         mLayoutSeq=28926\n  \
         mCurrentFocus={}\n  \
         mFocusedApp={}\n\n  \
         DisplayPolicy\n    \
         mAwake={on} mScreenOnEarly={on} mScreenOnFully={on}\n    \
         mKeyguardDrawComplete={on} mWindowManagerDrawComplete={on}\n    \
         isKeyguardShowing={}\n\n  \
         DisplayRotation\n    \
         mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n    \
         mLastOrientation=-1\n    \
         mRotation={} mDeferredRotationPauseCount=0\n    \
         mUserRotationMode={} mUserRotation=ROTATION_{}\n",
        window_name(phone, &focus),
        record(phone, &focus),
        phone.keyguard().is_some(),
        rotation,
        if phone.setting("system", "accelerometer_rotation") == Some("1") {
            "USER_ROTATION_FREE"
        } else {
            "USER_ROTATION_LOCKED"
        },
        u32::from(rotation) * 90,
    )
}

fn windows(phone: &Phone) -> String {
    let focus = phone.focus();
    let (width, height) = phone.size();
    let mut names = vec!["StatusBar".to_owned(), "NavigationBar0".to_owned()];
    if focus.keyboard {
        names.push("InputMethod".to_owned());
    }
    names.push(focus.window.clone());
    let mut text = String::from("WINDOW MANAGER WINDOWS (dumpsys window windows)\n");
    for (number, name) in names.iter().filter(|name| !name.is_empty()).enumerate() {
        text += &format!(
            "  Window #{number} Window{{{:x} u0 {name}}}:\n    mDisplayId=0 rootTaskId={} mSession=Session{{c0de 1234:u0a10086}}\n    \
             mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false\n    \
             Frames: parent=[0,0][{width},{height}] display=[0,0][{width},{height}] frame=[0,0][{width},{height}] last=[0,0][{width},{height}]\n    \
             isOnScreen=true\n    isVisible=true\n",
            handle(&format!("window {name}")),
            focus.task,
        );
    }
    text += &format!(
        "\n  mGlobalConfiguration={{1.0 ?mcc?mnc [en_US] ldltr}}\n  mHasPermanentDpad=false\n  mTopFocusedDisplayId={}\n  \
         mCurrentFocus={}\n  mFocusedApp={}\n",
        phone.stage(),
        window_name(phone, &focus),
        record(phone, &focus)
    );
    text
}

fn policy(phone: &Phone) -> String {
    let on = phone.is_screen_on();
    let (locked, secure) = (phone.keyguard().is_some(), phone.keyguard() == Some(true));
    format!(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false\n    mSystemReady=true\n    \
         mAwake={on}\n    screenState=SCREEN_STATE_{}\n    interactiveState=INTERACTIVE_STATE_{}\n    KeyguardServiceDelegate\n      showing={locked}\n      \
         inputRestricted={locked}\n      occluded=false\n      secure={secure}\n      dreaming=false\n      systemIsReady=true\n      \
         deviceHasKeyguard=true\n      enabled=true\n      mIsShowing={locked}\n      mInputRestricted={locked}\n    \
         mDreamingLockscreen={locked} mShowingLockscreen={locked}\n",
        if on { "ON" } else { "OFF" },
        if on { "AWAKE" } else { "SLEEP" },
    )
}

fn activity(phone: &Phone, words: &[String]) -> String {
    match words.first().map_or("", String::as_str) {
        "processes" | "p" => processes(phone),
        "top" => {
            let focus = phone.focus();
            let component = component(&focus);
            let pid =
                focus.processes.iter().find(|(name, _)| *name == focus.package).map_or(0, |(_, pid)| *pid);
            format!(
                "TASK 10123:{} id={} userId=0\n  ACTIVITY {} {:x} pid={pid} userId=0\n    Local Activity {:x} State:\n      mResumed=true mStopped=false mFinished=false\n",
                focus.package,
                focus.task,
                short(&component),
                handle(&component),
                handle(&component)
            )
        }
        "services" => services(phone),
        "broadcasts" | "recents" | "exit-info" => {
            format!("ACTIVITY MANAGER {}\n  (nothing)\n", words[0].to_uppercase())
        }
        _ => activities(phone),
    }
}

fn activities(phone: &Phone) -> String {
    let each: String = phone.displays().into_iter().map(|display| tasks_of(phone, display.id)).collect();
    let focus = phone.focus();
    let (record, window) = (record(phone, &focus), window_name(phone, &focus));
    format!(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n{each}\n  ResumedActivity: {record}\n\n  \
         mFocusedApp={record}\n  mCurrentFocus={window}\n\n  KeyguardController:\n    \
         mKeyguardShowing={}\n    mAodShowing=false\n    mKeyguardGoingAway=false\n",
        phone.keyguard().is_some()
    )
}

/// The tasks of a display.
fn tasks_of(phone: &Phone, display: u32) -> String {
    let focus = phone.focus_of(display);
    let record = record(phone, &focus);
    let component = component(&focus);
    let pid = focus.processes.iter().find(|(name, _)| *name == focus.package).map_or(0, |(_, pid)| *pid);
    let (width, height) = phone.size();
    let package = &focus.package;
    let mut text = format!(
        "Display #{display} (activities from top to bottom):\n  \
         * Task{{{:x} #{task} type=standard A=10123:{package} U=0 visible=true visibleRequested=true mode=fullscreen translucent=false sz=1}}\n    \
         mBounds=Rect(0, 0 - {width}, {height})\n    mLastPausedActivity: null\n    isSleeping=false\n",
        handle(package),
        task = focus.task,
    );
    if !package.is_empty() {
        text += &format!(
            "    topResumedActivity={record}\n    * Hist  #0: {record}\n      packageName={package} processName={package}\n      \
             app=ProcessRecord{{{:x} {pid}:{package}/u0a123}}\n      \
             Intent {{ act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] flg=0x10000000 cmp={} }}\n      \
             state=RESUMED stopped=false delayedResume=false finishing=false\n",
            handle(&format!("process {package}")),
            short(&component)
        );
    }
    text
}

/// The services that are known to run: accessibility services that are on.
fn services(phone: &Phone) -> String {
    let mut text = String::from("ACTIVITY MANAGER SERVICES (dumpsys activity services)\n");
    let running = phone.accessibility_services();
    let playing = phone.foreground_services();
    if running.is_empty() && playing.is_empty() {
        return text + "  (nothing)\n";
    }
    text += "  User 0 active services:\n";
    for id in running {
        let (package, _) = id.split_once('/').unwrap_or((&id, ""));
        text += &format!(
            "  * ServiceRecord{{{:x} u0 {id}}}\n    intent={{act=android.accessibilityservice.AccessibilityService cmp={id}}}\n    packageName={package}\n",
            handle(&id)
        );
    }
    for package in playing {
        text += &format!(
            "  * ServiceRecord{{{:x} u0 {package}/.ForegroundService}}\n    packageName={package}\n    isForeground=true foregroundId=1\n",
            handle(&package)
        );
    }
    text
}

fn processes(phone: &Phone) -> String {
    let mut text = String::from(
        "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n  All known processes:\n",
    );
    for (package, pid) in phone.focus().processes {
        text += &format!(
            "  *APP* UID 10123 ProcessRecord{{{:x} {pid}:{package}/u0a123}}\n    dir=/data/app/{package}/base.apk\n",
            handle(&package)
        );
    }
    text
}

fn input(phone: &Phone, _: &[String]) -> String {
    let (width, height) = phone.size();
    let rotation = phone.rotation();
    let focus = phone.focus();
    format!(
        "INPUT MANAGER (dumpsys input)\n\nInput Reader State (Nums of device: 1):\n  Device 1: touchscreen\n    \
         Viewport INTERNAL: displayId=0, uniqueId=local:0, port=0, orientation={rotation}, logicalFrame=[0, 0, {width}, {height}], \
         physicalFrame=[0, 0, {width}, {height}], deviceSize=[{width}, {height}], isActive=[1]\n    \
         SurfaceWidth: {width}px\n    SurfaceHeight: {height}px\n    SurfaceOrientation: {rotation}\n\n\
         Input Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n  FocusedDisplayId: 0\n  FocusedApplications:\n    \
         displayId=0, name='{}', dispatchingTimeout=5000ms\n  FocusedWindows:\n    displayId=0, name='{}'\n",
        record(phone, &focus),
        window_name(phone, &focus)
    )
}

fn input_method(phone: &Phone, _: &[String]) -> String {
    let shown = phone.says_keyboard_up();
    let current = phone.setting("secure", "default_input_method").unwrap_or("null");
    format!(
        "Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n  \
         mCurMethodId={current}\n  mCurClient=ClientState{{2d1f uid=10123 pid=4321}}\n  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n  \
         mInputShown={shown}\n  mInteractive=true\n\nInput method service state for SimKeyboard:\n  mIsInputViewShown={shown}\n"
    )
}

fn display(phone: &Phone, _: &[String]) -> String {
    let (width, height) = phone.size();
    let (native_width, native_height) = phone.options().size;
    let (state, rotation) = (if phone.is_screen_on() { "ON" } else { "OFF" }, phone.rotation());
    let viewport = |Display { id, physical }: &Display| {
        let kind = if *id == 0 { "INTERNAL" } else { "EXTERNAL" };
        format!(
            "DisplayViewport{{type={kind}, valid=true, isActive=true, displayId={id}, uniqueId='local:{physical}', \
             physicalPort={id}, orientation={rotation}, logicalFrame=Rect(0, 0 - {width}, {height}), \
             physicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={native_width}, deviceHeight={native_height}}}"
        )
    };
    let viewports: Vec<String> = phone.displays().iter().map(viewport).collect();
    format!(
        "DISPLAY MANAGER (dumpsys display)\n  mGlobalDisplayState={state}\n  mViewports=[{}]\n  \
         mScreenState={state}\n    mCurrentOrientation={rotation}\n    real {width} x {height}\n",
        viewports.join(", ")
    )
}

/// `dumpsys SurfaceFlinger --display-id`: the displays as the compositor knows them.
fn surface_flinger(phone: &Phone, _: &[String]) -> String {
    let line = |(Display { physical, .. }, number): (Display, usize)| {
        format!(
            "Display {physical} (HWC display {number}): port={number} pnpId=SIM displayName=\"SIM_display_{number}\"\n"
        )
    };
    phone.displays().into_iter().zip(0_usize..).map(line).collect()
}

/// AOSP `ConnectivityService.doDump`, the line that tells whether there is a network.
fn connectivity(phone: &Phone, _: &[String]) -> String {
    let network = if phone.is_online() { "100" } else { "none" };
    format!("NetworkFactories for:\n\nActive default network: {network}\n")
}

/// A simulated phone keeps no drop box.
fn dropbox(phone: &Phone, words: &[String]) -> String {
    phone.drop_box(words)
}

fn meminfo(_: &Phone, _: &[String]) -> String {
    "Applications Memory Usage (in Kilobytes):\n\nTotal RAM: 3,894,608K (status normal)\n Free RAM: 1,947,304K\n".to_owned()
}

fn cpuinfo(_: &Phone, _: &[String]) -> String {
    "Load: 0.0 / 0.0 / 0.0\n0% TOTAL: 0% user + 0% kernel\n".to_owned()
}
