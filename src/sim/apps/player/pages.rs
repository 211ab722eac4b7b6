//! Queue, inbox, episodes and downloads, which one activity shows in turn; the player; settings.

use super::podcasts::{EPISODES, SPEEDS, feed, speed_text, title};
use super::{Action, MANIFEST, Player, SPEED_OTHER};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Extent, Gravity, Icon, Screen, TextSize, View,
};

pub(super) const SECTIONS: [&str; 4] = ["Queue", "Inbox", "Episodes", "Downloads"];

pub(super) fn main(player: &Player, page: &ActivityState) -> Screen<Action> {
    let section = usize::try_from(page.number("section")).unwrap_or(0);
    let episodes = shown(player, section);
    let rows: Vec<View<Action>> = episodes.into_iter().map(|episode| row(player, episode, section)).collect();
    let body = if rows.is_empty() {
        let empty = ["The queue is empty", "Nothing new", "No episodes", "No downloads"];
        View::empty("emptyViewTitle", empty.get(section).copied().unwrap_or_default())
    } else {
        View::recycler("recyclerView").children(rows)
    };
    let name = SECTIONS.get(section).copied().unwrap_or_default();
    let mut screen = Screen::new(name, body).color(Color::ORANGE);
    for (n, name) in SECTIONS.iter().enumerate() {
        let text = match (n, player.podcasts.inbox.len()) {
            (1, new @ 1..) => format!("{name} ({new})"),
            _ => (*name).to_owned(),
        };
        screen = screen.drawer(text, n == section, Action::Section(n));
    }
    screen = screen.drawer("Settings", false, Action::Settings).drawer("About", false, Action::About);
    if section == 0 {
        screen = screen.action("queue_sort", Icon::Sort, "Sort", Action::AskSort);
    }
    match player.undo {
        Some((_, queued)) => {
            screen.snackbar(format!("{} removed", title(queued.episode)), "Undo", Action::Undo)
        }
        None => screen,
    }
}

fn shown(player: &Player, section: usize) -> Vec<usize> {
    let podcasts = &player.podcasts;
    match section {
        0 => podcasts.queue().iter().map(|queued| queued.episode).collect(),
        1 => podcasts.inbox.iter().copied().collect(),
        3 => podcasts.downloaded.iter().copied().collect(),
        _ => (0..EPISODES.len()).filter(|n| !(player.hide_played && podcasts.played.contains(n))).collect(),
    }
}

fn row(player: &Player, episode: usize, section: usize) -> View<Action> {
    let podcasts = &player.podcasts;
    let minutes = EPISODES.get(episode).map_or(0, |episode| episode.2);
    let mut about = format!("{} · {minutes} min · {}", feed(episode), speed_text(podcasts.speed(episode)));
    if podcasts.played.contains(&episode) {
        about += " · played";
    }
    let texts = View::column()
        .share_width()
        .child(View::label("txtvTitle", title(episode)))
        .child(View::label("status", about).text_size(TextSize::Small).ink(Color::FAINT));
    let name = if podcasts.downloaded.contains(&episode) { "Play" } else { "Stream" };
    let button = View::icon_button(
        "secondaryActionButton",
        Icon::Play,
        format!("{name} {}", title(episode)),
        Action::Play(episode),
    );
    View::new("android.widget.LinearLayout", Arrange::Row)
        .id("container")
        .high(60)
        .pad_sides(12, 4)
        .on_click(Action::Play(episode))
        .on_long_click(Action::Menu { episode, section })
        .child(texts)
        .child(button)
}

pub(super) fn menu(player: &Player, episode: usize, section: usize, ctx: &mut Ctx<'_, Action>) {
    let podcasts = &player.podcasts;
    let queue = if podcasts.is_queued(episode) {
        ("Remove from queue".into(), Action::Dequeue(episode))
    } else {
        ("Add to queue".into(), Action::Enqueue(episode))
    };
    let download = if podcasts.downloaded.contains(&episode) {
        ("Delete download".into(), Action::DeleteDownload(episode))
    } else {
        ("Download".into(), Action::Download(episode))
    };
    let mut items = vec![queue, download, ("Mark as played".into(), Action::MarkPlayed(episode))];
    if section == 1 {
        items.push(("Remove from inbox".into(), Action::LeaveInbox(episode)));
    }
    ctx.popup(items);
}

pub(super) fn audio(player: &Player, page: &ActivityState) -> Screen<Action> {
    if player.loading {
        let body = View::loading("Preparing…");
        return Screen::new("Player", body).color(Color::ORANGE).up();
    }
    let Some(episode) = player.now else {
        return Screen::new("Player", View::empty("emptyViewTitle", "Nothing plays"))
            .color(Color::ORANGE)
            .up();
    };
    let playing = page.variable("paused").is_empty();
    let (icon, name) = if playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    // The wrong label shows the speed that was set last, of whatever episode.
    let speed =
        player.defects.either(&SPEED_OTHER, player.podcasts.speed(episode), || player.podcasts.last_speed);
    let controls = View::row()
        .high(72)
        .child(View::button("butPlaybackSpeed", speed_text(speed), Action::AskSpeed).share_width())
        .child(View::icon_button("butPlay", icon, name, Action::PlayPause))
        .child(View::icon_button("butSkip", Icon::Next, "Skip episode", Action::Skip));
    let next = player
        .podcasts
        .after(episode)
        .map_or_else(|| "Nothing follows".to_owned(), |next| format!("Next: {}", title(next)));
    let body = View::column()
        .fill()
        .pad(16)
        .child(
            View::picture("imgvCover", 40 + u64::from(player.cover()), "Cover")
                .size(Extent::Fill, Extent::Dp(180)),
        )
        .child(View::label("titleView", title(episode)).text_size(TextSize::Title).margin(0, 8, 0, 0))
        .child(View::label("txtvPodcastTitle", feed(episode)).ink(Color::FAINT))
        .child(View::label("txtvNext", next).text_size(TextSize::Small).ink(Color::FAINT))
        .child(controls);
    Screen::new("Player", body).color(Color::ORANGE).up().menu("Mark as played", Action::MarkPlayed(episode))
}

pub(super) fn ask_speed(ctx: &mut Ctx<'_, Action>) {
    ctx.popup((0..SPEEDS.len()).map(|n| (speed_text(n), Action::Speed(n))).collect());
}

pub(super) fn settings(player: &Player) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Hide played",
            "In the list of episodes",
            player.hide_played,
            Action::ToggleHide,
        ))
        .child(View::setting(
            "Leave the queue",
            "When an episode is marked as played",
            player.leaves_queue,
            Action::ToggleLeave,
        ));
    Screen::new("Settings", list).color(Color::ORANGE).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Podcasts {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().child(version)).color(Color::ORANGE).up()
}
