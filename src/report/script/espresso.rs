//! An instrumented test in Kotlin: Espresso for what is in the app, UiDevice for what is around it. It passes where the
//! app is right and fails where the bug shows.

use super::quote::{comment, kotlin};
use super::{Check, Locator, Plan, PlanStep, shell};
use droidmux_gui::{Direction, EventKind, short_id};

const IMPORTS: &str = "
import android.content.Intent
import android.view.View
import androidx.test.core.app.ApplicationProvider
import androidx.test.espresso.Espresso.onView
import androidx.test.espresso.action.ViewActions.*
import androidx.test.espresso.matcher.ViewMatchers.*
import androidx.test.espresso.util.TreeIterables
import androidx.test.ext.junit.runners.AndroidJUnit4
import androidx.test.platform.app.InstrumentationRegistry.getInstrumentation
import androidx.test.uiautomator.UiDevice
import org.hamcrest.Description
import org.hamcrest.Matcher
import org.hamcrest.Matchers.allOf
import org.hamcrest.TypeSafeMatcher
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
";

const HELPERS: &str = r"
    private val device = UiDevice.getInstance(getInstrumentation())

    private fun start() {
        val context = ApplicationProvider.getApplicationContext<android.content.Context>()
        val intent = context.packageManager.getLaunchIntentForPackage(context.packageName)!!
        context.startActivity(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_CLEAR_TASK))
        device.waitForIdle()
    }

    /** The one of this number among the views that fit. */
    private fun nth(number: Int, matcher: Matcher<View>) = object : TypeSafeMatcher<View>() {
        private val seen = LinkedHashSet<View>()
        override fun describeTo(description: Description) {
            description.appendText(`number $number of `).appendDescriptionOf(matcher)
        }
        override fun matchesSafely(view: View): Boolean {
            if (matcher.matches(view)) seen.add(view)
            return seen.indexOf(view) == number
        }
    }

    /** Tries until a view is there, for ten seconds. */
    private fun <T> eventually(step: () -> T): T {
        val end = System.currentTimeMillis() + 10_000
        while (true) {
            try {
                return step()
            } catch (error: Throwable) {
                if (System.currentTimeMillis() > end) throw error
                Thread.sleep(200)
            }
        }
    }

    private fun count(matcher: Matcher<View>): Int {
        var count = 0
        onView(isRoot()).check { root, _ ->
            count = TreeIterables.breadthFirstViewTraversal(root).count { matcher.matches(it) }
        }
        return count
    }
";

pub(super) fn script(plan: &Plan) -> String {
    let mut text = format!(
        "// {}\n//\n// Shows {} of {} {} without droidmux. Put it into src/androidTest/ of the app; it fails where the bug shows.\n\
         // Run it with the orchestrator and clearPackageData, so that it begins without data. Set-up of the build:\n\
         //   androidTestImplementation: espresso-core, androidx.test.ext:junit-ktx, androidx.test.uiautomator:uiautomator\n",
        comment(&plan.title),
        plan.finding,
        comment(&plan.app),
        comment(&plan.build.version_name)
    );
    text += &plan.by_hand("//");
    text += IMPORTS;
    let name = format!("Finding{:08x}", plan.finding.key);
    text += &format!("\n@RunWith(AndroidJUnit4::class)\nclass {name} {{");
    text += &HELPERS.replace('`', "\"");
    text += "\n    @Test\n    fun showsTheBug() {\n        device.setOrientationNatural()\n        start()\n";
    let mut turned = false;
    for step in &plan.steps {
        let inserted = if step.inserted { " // without this step it is right" } else { "" };
        text += &format!("        {}{inserted}\n", line(step, plan, &mut turned));
        text += "        device.waitForIdle()\n";
    }
    text += &check(&plan.check);
    text + "    }\n}\n"
}

fn line(step: &PlanStep, plan: &Plan, turned: &mut bool) -> String {
    let event = &step.event;
    let outside = || {
        let command = shell::command(event, &plan.app).unwrap_or_default();
        format!("device.executeShellCommand({})", kotlin(&command))
    };
    match event.kind {
        EventKind::Back => return "device.pressBack()".into(),
        EventKind::Home => return "device.pressHome()".into(),
        EventKind::Menu => return "device.pressMenu()".into(),
        EventKind::Enter => return "device.pressEnter()".into(),
        EventKind::Launch | EventKind::Relaunch => return "start()".into(),
        EventKind::Sleep | EventKind::Lock => return "device.sleep()".into(),
        EventKind::Wake | EventKind::Unlock => return "device.wakeUp()".into(),
        EventKind::Wait => return format!("Thread.sleep({}_000)", event.seconds()),
        EventKind::Kill | EventKind::Set(_) => return outside(),
        EventKind::Rotate => {
            *turned = !*turned;
            let way = if *turned { "setOrientationLeft" } else { "setOrientationNatural" };
            return format!("device.{way}()");
        }
        EventKind::Click | EventKind::LongClick | EventKind::Edit | EventKind::Scroll(_) => {}
    }
    let Some(locator) = &step.locator else {
        return format!("throw AssertionError({})", kotlin(&format!("no widget for {}", event.words())));
    };
    let action = match event.kind {
        EventKind::LongClick => "longClick()".to_owned(),
        EventKind::Edit => format!("replaceText({})", kotlin(event.data.as_deref().unwrap_or_default())),
        // The finger goes the other way.
        EventKind::Scroll(Direction::Up) => "swipeDown()".into(),
        EventKind::Scroll(Direction::Down) => "swipeUp()".into(),
        EventKind::Scroll(Direction::Left) => "swipeRight()".into(),
        EventKind::Scroll(Direction::Right) => "swipeLeft()".into(),
        _ => "click()".into(),
    };
    let matcher = format!("allOf({}, isDisplayed())", matchers(locator));
    let view = match locator.index {
        0 if locator.class.is_empty() => matcher,
        index => format!("nth({index}, {matcher})"),
    };
    format!("eventually {{ onView({view}).perform({action}) }}")
}

fn matchers(locator: &Locator) -> String {
    let mut matchers = Vec::new();
    if !locator.resource_id.is_empty() {
        matchers.push(format!("withResourceName({})", kotlin(short_id(&locator.resource_id))));
    }
    if !locator.text.is_empty() {
        matchers.push(format!("withText({})", kotlin(&locator.text)));
    }
    if !locator.description.is_empty() {
        matchers.push(format!("withContentDescription({})", kotlin(&locator.description)));
    }
    if !locator.class.is_empty() {
        matchers.push(format!("withClassName(org.hamcrest.Matchers.equalTo({}))", kotlin(&locator.class)));
    }
    matchers.join(", ")
}

fn check(check: &Check) -> String {
    match check {
        Check::Count { locator, expected, .. } => format!(
            "        assertEquals({}, {expected}, count(allOf({}, isDisplayed())))\n",
            kotlin(&locator.words()),
            matchers(locator)
        ),
        Check::Ended { headline, .. } => {
            format!(
                "        // With the bug the app has ended by now: {}\n        onView(isRoot()).check {{ _, _ -> }}\n",
                comment(headline)
            )
        }
        Check::Look { expected, found } => {
            let mut text = String::new();
            for line in Check::lines(expected, found) {
                text += &format!("        // {}\n", comment(&line));
            }
            text + "        device.takeScreenshot(java.io.File(getInstrumentation().targetContext.cacheDir, \"in-the-end.png\"))\n"
        }
    }
}
