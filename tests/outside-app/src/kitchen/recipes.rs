//! The tab with the list of recipes.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Gravity, Icon, Screen, TextSize, View,
};

use super::cookbook::{CATEGORIES, Order, Recipe};
use super::declared::FILTER_EDITED;
use super::{Action, Kitchen, Tab, Undo};

/// The search of the toolbar.
const QUERY: &str = "recipe_search";

pub(super) fn view(kitchen: &Kitchen, page: &ActivityState) -> Screen<Action> {
    let list = shown(kitchen, page, kitchen.order);
    let searching = page.query(QUERY).is_some();
    let mut body = View::column().fill();
    if searching {
        let text = if list.len() == 1 { "1 recipe".to_owned() } else { format!("{} recipes", list.len()) };
        body = body.child(View::heading("found", text));
    } else {
        let tabs = std::iter::once(("All", Action::Category(None)))
            .chain(CATEGORIES.iter().enumerate().map(|(n, name)| (*name, Action::Category(Some(n)))));
        body = body.child(View::tabs("categories", category(page).map_or(0, |n| n + 1), tabs));
    }
    let recent = kitchen.book.recent();
    let rows: Vec<View<Action>> =
        list.iter().enumerate().map(|(n, recipe)| row(kitchen, recipe, n)).collect();
    let list = if rows.is_empty() {
        View::empty("no_recipes", if searching { "Nothing found" } else { "No recipes here" })
    } else if searching || category(page).is_some() || recent.is_empty() {
        View::recycler("recipes").children(rows)
    } else {
        View::recycler("recipes")
            .child(View::heading("heading", "Opened last"))
            .child(recents(&recent))
            .child(View::heading("heading", "All recipes"))
            .children(rows)
    };
    let add =
        View::fab("fab", Icon::Add, "New recipe", Action::New).at(Gravity::BottomEnd).margin(0, 0, 16, 72);
    let body = body.child(list.share_height()).child(bar(Tab::Recipes));
    let screen = Screen::new("Recipes", body)
        .color(Color::GREEN)
        .search(QUERY, "Name or ingredient")
        .action("sort", Icon::Sort, "Sort", Action::AskOrder)
        .menu("History", Action::History)
        .menu("Settings", Action::Settings)
        .over(add);
    offer(kitchen, screen)
}

/// Offers to take back what was deleted last.
pub(super) fn offer(kitchen: &Kitchen, screen: Screen<Action>) -> Screen<Action> {
    let text = match &kitchen.undo {
        Some(Undo::Recipe(recipe, _)) => format!("{} deleted", recipe.text.name),
        Some(Undo::Meals(meals)) => format!("{} removed from the plan", meals.len()),
        Some(Undo::Items(items)) => format!("{} removed from the list", items.len()),
        None => return screen,
    };
    screen.snackbar(text, "Undo", Action::Undo)
}

/// The tabs at the foot of the main page.
pub(super) fn bar(tab: Tab) -> View<Action> {
    let chosen = Tab::ALL.iter().position(|known| *known == tab).unwrap_or(0);
    let items = [
        ("tab_recipes", Tab::Recipes, Icon::Book),
        ("tab_plan", Tab::Week, Icon::Repeat),
        ("tab_shopping", Tab::Shopping, Icon::Check),
    ];
    View::bottom_bar(chosen, items.map(|(id, tab, icon)| (id, tab.name(), icon, Action::Tab(tab))))
}

/// The category that is chosen.
fn category(page: &ActivityState) -> Option<usize> {
    page.variable("category").parse().ok().filter(|category| *category < CATEGORIES.len())
}

/// The recipes that the list shows, in this order.
pub(super) fn shown<'a>(kitchen: &'a Kitchen, page: &ActivityState, order: Order) -> Vec<&'a Recipe> {
    if let Some(query) = page.query(QUERY) {
        return kitchen.book.sorted(order, |recipe| recipe.matches(query));
    }
    let chosen = category(page);
    let right =
        kitchen.book.sorted(order, |recipe| chosen.is_none_or(|chosen| recipe.text.category == chosen));
    let all = kitchen.book.sorted(order, |_| true);
    // The wrong list is read anew after an edit, without what was chosen.
    let differs = kitchen.edited && all.len() != right.len();
    if kitchen.defects.strikes(&FILTER_EDITED, differs) { all } else { right }
}

fn recents(recent: &[&Recipe]) -> View<Action> {
    let chip = |recipe: &&Recipe| {
        View::chip("recent", &recipe.text.name)
            .share_width()
            .centered()
            .pad_sides(4, 8)
            .on_click(Action::OpenRecent(recipe.id))
    };
    View::row().id("recents").high(48).pad_sides(12, 4).children(recent.iter().map(chip))
}

fn row(kitchen: &Kitchen, recipe: &Recipe, place: usize) -> View<Action> {
    let kind = CATEGORIES.get(recipe.text.category).copied().unwrap_or_default();
    let about = if kitchen.times && recipe.text.minutes > 0 {
        format!("{kind}, {} min", recipe.text.minutes)
    } else {
        kind.to_owned()
    };
    let texts = View::column()
        .share_width()
        .child(View::label("recipe_name", &recipe.text.name))
        .child(View::label("recipe_about", about).text_size(TextSize::Small).ink(Color::FAINT));
    let star = if recipe.favourite { Icon::Star } else { Icon::NoStar };
    let name = format!("Favourite {}", recipe.text.name);
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("recipe_row")
        .high(60)
        .pad_sides(16, 4)
        .on_click(Action::Open(recipe.id, place))
        .child(texts)
        .child(
            View::icon_button("favourite", star, name, Action::Favourite(recipe.id))
                .selected(recipe.favourite),
        )
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort by")
        .choice("Name", Action::Order(Order::Name))
        .choice("Quickest first", Action::Order(Order::Quickest))
        .choice("Most cooked first", Action::Order(Order::MostCooked));
    ctx.show(dialog);
}
