//! The lists of videos, the page of one, of a channel, of what is blocked, and the small pages.

use super::catalogue::{VIDEOS, channel_name, channel_of, salt, title};
use super::{Action, BLOCKED_RECOMMENDED, MANIFEST, Tube, UNBLOCK_STALE};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Env, Extent, Gravity, Icon, Screen, TextSize, View,
};

/// Videos below the one that plays.
const RECOMMENDED: usize = 3;

/// Featured videos, or bookmarks: two pages of one activity.
pub(super) fn main(tube: &Tube, page: &ActivityState, env: &Env) -> Screen<Action> {
    let bookmarks = page.variable("tab") == "bookmarks";
    let tabs = [("Featured", Action::Tab("featured")), ("Bookmarks", Action::Tab("bookmarks"))];
    let videos = if bookmarks { tube.catalogue.bookmarks.clone() } else { tube.featured(env) };
    let list = if tube.loading && !bookmarks {
        View::loading("Loading videos…")
    } else if videos.is_empty() {
        View::empty("noVideoAvailable", if bookmarks { "No bookmarks" } else { "No videos available" })
    } else {
        View::recycler("gridView").children(videos.into_iter().map(|video| row(video, env)))
    };
    let body = View::column()
        .fill()
        .child(View::tabs("tab_layout", usize::from(bookmarks), tabs))
        .child(list.share_height());
    Screen::new("Tube", body)
        .color(Color::RED)
        .action("menu_refresh", Icon::Refresh, "Refresh", Action::Refresh)
        .menu("Blocked channels", Action::Blocked)
        .menu("Settings", Action::Settings)
        .menu("About", Action::About)
}

fn row(video: usize, env: &Env) -> View<Action> {
    let channel = channel_of(video);
    let views =
        env.volatile(100 + salt(video)).map_or_else(String::new, |n| format!(" · {} views", n % 9000));
    let about = format!("{}{views}", channel_name(channel));
    let texts = View::column()
        .share_width()
        .margin(8, 0, 4, 0)
        .child(View::label("title_text_view", title(video)))
        .child(View::label("channel_text_view", about).text_size(TextSize::Small).ink(Color::FAINT));
    let length = VIDEOS.get(video).map_or("", |video| video.2);
    View::new("android.widget.RelativeLayout", Arrange::Row)
        .id("top_layout")
        .high(68)
        .pad_sides(8, 4)
        .on_click(Action::Open(video))
        .on_long_click(Action::Menu(video))
        .child(
            View::picture("thumbnail_image_view", salt(video), length).size(Extent::Dp(56), Extent::Dp(56)),
        )
        .child(texts)
        .child(View::icon_button(
            "options_button",
            Icon::More,
            format!("Options of {}", title(video)),
            Action::Menu(video),
        ))
}

pub(super) fn menu(tube: &Tube, video: usize, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        (bookmark_text(tube, video).into(), Action::Bookmark(video)),
        ("View channel".into(), Action::Channel(channel_of(video))),
        ("Block channel".into(), Action::Block(channel_of(video))),
    ]);
}

fn bookmark_text(tube: &Tube, video: usize) -> &'static str {
    if tube.catalogue.bookmarks.contains(&video) { "Remove bookmark" } else { "Bookmark" }
}

/// The page that plays a video.
pub(super) fn player(tube: &Tube, page: &ActivityState, env: &Env) -> Screen<Action> {
    let video = number(page);
    let playing = !page.variable("playing").is_empty();
    let (icon, name) = if playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let picture = View::picture("player_view", salt(video), "Video").high(150);
    let controls = View::row()
        .wide()
        .pad_sides(8, 0)
        .child(View::icon_button("exo_play_pause", icon, name, Action::PlayPause))
        .child(View::label("exo_state", if playing { "Playing" } else { "Paused" }).share_width())
        .child(View::button(
            "channel_button",
            channel_name(channel_of(video)),
            Action::Channel(channel_of(video)),
        ));
    let others = (1..VIDEOS.len()).map(|step| (video + step) % VIDEOS.len());
    // The wrong recommendations come from a list nobody filtered.
    let mut right = tube.catalogue.visible(others.clone());
    right.truncate(RECOMMENDED);
    let next = tube.defects.either(&BLOCKED_RECOMMENDED, right, || others.take(RECOMMENDED).collect());
    let body = View::column()
        .fill()
        .child(picture)
        .child(controls)
        .child(View::heading("up_next", "Up next"))
        .child(
            View::recycler("recommendations").share_height().children(next.into_iter().map(|v| row(v, env))),
        );
    Screen::new(title(video), body)
        .color(Color::RED)
        .up()
        .menu(bookmark_text(tube, video), Action::Bookmark(video))
        .menu("View in browser", Action::Browse(video))
        .menu("Block channel", Action::Block(channel_of(video)))
}

/// What a browser shows of a video.
pub(super) fn browser(page: &ActivityState) -> Screen<Action> {
    let video = number(page);
    let view = View::new("android.webkit.WebView", Arrange::Column)
        .fill()
        .pad(16)
        .child(View::text(title(video)).class("android.view.View"))
        .child(View::text(channel_name(channel_of(video))).class("android.view.View").ink(Color::FAINT));
    let address = format!("https://tube.example/watch/{video}");
    let bar = View::label("url_bar", address).high(48).pad_sides(16, 8).background(Color::LINE);
    Screen::bare(View::column().fill().child(bar).child(view.share_height()))
}

pub(super) fn channel(tube: &Tube, page: &ActivityState, env: &Env) -> Screen<Action> {
    let channel = number(page);
    let right = tube.catalogue.is_blocked(channel);
    let blocked = tube.defects.either(&UNBLOCK_STALE, right, || tube.catalogue.told(channel));
    let (text, action) =
        if blocked { ("Unblock", Action::Unblock(channel)) } else { ("Block", Action::Block(channel)) };
    let head = View::row()
        .wide()
        .pad(8)
        .child(View::label("channel_title", channel_name(channel)).text_size(TextSize::Title).share_width())
        .child(View::button("channel_block_button", text, action));
    let videos = (0..VIDEOS.len()).filter(|video| channel_of(*video) == channel);
    let list = View::recycler("gridView").share_height().children(videos.map(|video| row(video, env)));
    Screen::new("Channel", View::column().fill().child(head).child(list)).color(Color::RED).up()
}

pub(super) fn blocked(tube: &Tube) -> Screen<Action> {
    let row = |channel: &usize| {
        View::row()
            .id("blocked_row")
            .high(56)
            .pad_sides(16, 0)
            .on_click(Action::Channel(*channel))
            .child(View::label("channel_name", channel_name(*channel)).share_width())
            .child(View::button("unblock_button", "Unblock", Action::Unblock(*channel)))
    };
    let body = if tube.catalogue.blocked().is_empty() {
        View::empty("noneBlocked", "No channel is blocked")
    } else {
        View::recycler("blocked_list").children(tube.catalogue.blocked().iter().map(row))
    };
    Screen::new("Blocked channels", body).color(Color::RED).up().menu("Clear list", Action::ClearBlocked)
}

pub(super) fn settings(tube: &Tube) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting("Play at once", "When a video is opened", tube.autoplay, Action::ToggleAutoplay))
        .child(View::preference("Blocked channels", "Channels whose videos are hidden", Action::Blocked));
    Screen::new("Settings", list).color(Color::RED).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Tube {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().child(version)).color(Color::RED).up()
}

/// The video or channel the page is about.
pub(super) fn number(page: &ActivityState) -> usize {
    page.argument().parse().unwrap_or(0)
}
