//! The first page with the products: categories, search, order, filter.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Extent, Icon, Screen, TextSize, View,
};

use super::action::{Action, LineKey, Tab};
use super::cart::Coupon;
use super::catalogue::{Category, Filter, Order, Product, ProductId, money};
use super::declared::{COUNT_REMOVED, SEARCH_CATEGORY, SORT_UNFILTERS};
use super::{Basket, Undo};

/// The search of the toolbar.
const QUERY: &str = "product_search";

const IN_STOCK: &str = "in_stock";
const ON_SALE: &str = "on_sale";
const FOUR_STARS: &str = "four_stars";

pub(super) fn view(basket: &Basket, page: &ActivityState, env: &Env) -> Screen<Action> {
    let mut body = View::column().fill();
    let list = match page.query(QUERY) {
        Some("") => View::empty("search_hint", "Search all products"),
        Some(query) => results(basket, page, query),
        None => {
            body = body.child(tabs(page)).child(tools(basket, page));
            products(basket, page, env)
        }
    };
    body = body.child(list.share_height()).child(bar(Tab::Shop));
    let mut screen = Screen::new("Basket", body)
        .color(Color::PURPLE)
        .search(QUERY, "Search all products")
        .menu("Settings", Action::Settings);
    // An open search takes the place of title and count.
    if page.query(QUERY).is_none() {
        screen = screen.subtitle(cart_count(basket));
    }
    if basket.shows_recent && !basket.recent.is_empty() {
        screen = screen.menu("Clear recently viewed", Action::ClearRecent);
    }
    offer(basket, screen)
}

/// The bar at the foot of the first page.
pub(super) fn bar(chosen: Tab) -> View<Action> {
    let icon = |tab| match tab {
        Tab::Shop => Icon::Home,
        Tab::Favourites => Icon::Star,
        Tab::Cart => Icon::Folder,
        Tab::Orders => Icon::File,
    };
    let id = |tab| match tab {
        Tab::Shop => "tab_shop",
        Tab::Favourites => "tab_favourites",
        Tab::Cart => "tab_cart",
        Tab::Orders => "tab_orders",
    };
    let at = Tab::ALL.iter().position(|tab| *tab == chosen).unwrap_or(0);
    View::bottom_bar(at, Tab::ALL.map(|tab| (id(tab), tab.name(), icon(tab), Action::Tab(tab))))
}

/// Offers to take the last removal back.
pub(super) fn offer(basket: &Basket, screen: Screen<Action>) -> Screen<Action> {
    match basket.undo {
        Some(Undo::Line(..)) => screen.snackbar("Removed from the cart", "Undo", Action::Undo),
        Some(Undo::Favourite(..)) => screen.snackbar("No longer a favourite", "Undo", Action::Undo),
        None => screen,
    }
}

/// How much is in the cart, as the toolbars tell.
pub(super) fn cart_count(basket: &Basket) -> String {
    let right = basket.cart.pieces();
    // The wrong count goes up with what is put in, and never down.
    let count = basket.defects.either(&COUNT_REMOVED, right, || right + basket.removed);
    format!("{count} in the cart")
}

/// What a line of the cart is called.
pub(super) fn line_name(basket: &Basket, (product, size): LineKey) -> String {
    let name = basket.catalogue.get(product).map_or("", |product| product.name);
    size.map_or_else(|| name.to_owned(), |size| format!("{name}, {}", size.name()))
}

fn category(page: &ActivityState) -> Option<Category> {
    Category::ALL.into_iter().find(|category| category.name() == page.variable("category"))
}

fn filter(page: &ActivityState) -> Filter {
    let is_on = |name| page.number(name) > 0;
    Filter { in_stock: is_on(IN_STOCK), on_sale: is_on(ON_SALE), four_stars: is_on(FOUR_STARS) }
}

fn tabs(page: &ActivityState) -> View<Action> {
    let chosen = category(page);
    let all = [None].into_iter().chain(Category::ALL.map(Some));
    let at = all.clone().position(|one| one == chosen).unwrap_or(0);
    View::tabs("categories", at, all.map(|one| (one.map_or("All", Category::name), Action::Category(one))))
}

/// The number of products, and the buttons for order and filter.
fn tools(basket: &Basket, page: &ActivityState) -> View<Action> {
    let count = match listed(basket, page).len() {
        1 => "1 product".to_owned(),
        count => format!("{count} products"),
    };
    let filters = filter(page).count();
    let mut row = View::row().high(48).pad_sides(12, 0).child(View::label("count", count).share_width());
    if filters > 0 {
        let text = if filters == 1 { "1 filter".to_owned() } else { format!("{filters} filters") };
        row = row.child(View::chip("filters", text)).child(View::icon_button(
            "clear_filter",
            Icon::Close,
            "Clear filters",
            Action::ClearFilter,
        ));
    }
    row.child(View::icon_button("filter", Icon::Menu, "Filter", Action::AskFilter)).child(View::icon_button(
        "sort",
        Icon::Sort,
        "Sort",
        Action::AskOrder,
    ))
}

/// The products that the list shows.
fn listed(basket: &Basket, page: &ActivityState) -> Vec<ProductId> {
    let ids = |filter: Filter| -> Vec<ProductId> {
        let is_in = |product: &Product| category(page).is_none_or(|category| product.category == category);
        let products = basket.catalogue.sorted(basket.order, |one| is_in(one) && filter.passes(one));
        products.into_iter().map(|product| product.id).collect()
    };
    let right = ids(filter(page));
    if page.number("sorted") == 0 {
        return right;
    }
    // The wrong list is put in another order from all that there is.
    basket.defects.either(&SORT_UNFILTERS, right, || ids(Filter::default()))
}

fn products(basket: &Basket, page: &ActivityState, env: &Env) -> View<Action> {
    let ids = listed(basket, page);
    if ids.is_empty() {
        return View::empty("no_products", "No products pass the filters");
    }
    let mut list = View::recycler("products");
    if category(page).is_none() && filter(page).count() == 0 {
        list = list.children(front(basket, env));
    }
    let rows = ids.into_iter().filter_map(|id| basket.catalogue.get(id));
    list.children(rows.map(|product| row(basket, product, Action::Open(product.id))))
}

/// What stands above all products: a coupon, the pick of the day, what was viewed last.
fn front(basket: &Basket, env: &Env) -> Vec<View<Action>> {
    let coupon = format!("{}: {}", Coupon::Spring.code(), Coupon::Spring.what());
    let mut rows = vec![
        View::label("banner", coupon).wide().pad_sides(16, 6).background(Color::PURPLE).ink(Color::WHITE),
    ];
    if let Some(pick) = basket.catalogue.pick(env.volatile(1).unwrap_or(3)) {
        let text = format!("Pick of the day: {}", pick.name);
        rows.push(View::label("pick", text).high(40).pad_sides(16, 8).on_click(Action::Open(pick.id)));
    }
    if basket.shows_recent && !basket.recent.is_empty() {
        let chip = |id: &ProductId| {
            let product = basket.catalogue.get(*id)?;
            Some(View::chip("recent", product.name).pad_sides(8, 8).on_click(Action::Open(*id)))
        };
        let recent = basket.recent.iter().filter_map(chip);
        rows.push(View::heading("recent_heading", "Recently viewed"));
        rows.push(View::flow("recent_list").size(Extent::Fill, Extent::Wrap).children(recent));
    }
    rows
}

fn results(basket: &Basket, page: &ActivityState, query: &str) -> View<Action> {
    let found = |within: Option<Category>| -> Vec<ProductId> {
        let is_in = |product: &Product| within.is_none_or(|category| product.category == category);
        let found = basket.catalogue.sorted(basket.order, |one| is_in(one) && one.matches(query));
        found.into_iter().map(|product| product.id).collect()
    };
    // The wrong search looks through what the list behind it shows.
    let ids = basket.defects.either(&SEARCH_CATEGORY, found(None), || found(category(page)));
    if ids.is_empty() {
        return View::empty("nothing_found", "Nothing found");
    }
    let rows = ids.into_iter().filter_map(|id| basket.catalogue.get(id));
    View::recycler("results").children(rows.map(|product| row(basket, product, Action::Open(product.id))))
}

/// A product in a list.
pub(super) fn row(basket: &Basket, product: &Product, open: Action) -> View<Action> {
    let mut texts = View::column().share_width().child(View::label("product_name", product.name));
    if !basket.compact {
        let facts = format!("{}, {}", product.stars_text(), product.stock_text().to_lowercase());
        texts = texts.child(View::label("product_facts", facts).text_size(TextSize::Small).ink(Color::FAINT));
    }
    let row = View::new("android.view.ViewGroup", Arrange::Row)
        .id("product_row")
        .high(if basket.compact { 48 } else { 56 })
        .pad_sides(12, 4)
        .on_click(open)
        .child(texts)
        .child(View::label("product_price", money(product.price)));
    row.child(star(basket, product))
}

/// The star of a product.
pub(super) fn star(basket: &Basket, product: &Product) -> View<Action> {
    let is_favourite = basket.favourites.contains(&product.id);
    let icon = if is_favourite { Icon::Star } else { Icon::NoStar };
    let action = if is_favourite { Action::Unfavour(product.id) } else { Action::Favour(product.id) };
    View::icon_button("star", icon, format!("Favourite {}", product.name), action).selected(is_favourite)
}

pub(super) fn ask_order(basket: &Basket, ctx: &mut Ctx<'_, Action>) {
    let dialog = Order::ALL.into_iter().fold(Dialog::new("Sort by"), |dialog, order| {
        let mark = if order == basket.order { " (now)" } else { "" };
        dialog.choice(format!("{}{mark}", order.name()), Action::Order(order))
    });
    ctx.show(dialog);
}

/// The order was chosen; filters stay.
pub(super) fn sorted(ctx: &mut Ctx<'_, Action>) {
    let filtered = filter(ctx.page()).count() > 0;
    ctx.save("sorted", u64::from(filtered));
    ctx.scroll_to_top("products");
}

pub(super) fn ask_filter(ctx: &mut Ctx<'_, Action>) {
    let filter = filter(ctx.page());
    let dialog = Dialog::new("Filter")
        .check(IN_STOCK, "In stock", filter.in_stock)
        .check(ON_SALE, "On sale", filter.on_sale)
        .check(FOUR_STARS, "4 stars and more", filter.four_stars)
        .negative("Cancel")
        .positive("Apply", Action::Filter);
    ctx.show(dialog);
}

/// Filters by what was chosen in the dialog, or not at all.
pub(super) fn set_filter(on: bool, ctx: &mut Ctx<'_, Action>) {
    for name in [IN_STOCK, ON_SALE, FOUR_STARS] {
        let is_on = on && ctx.is_checked(name);
        ctx.save(name, u64::from(is_on));
    }
    ctx.save("sorted", 0);
    ctx.scroll_to_top("products");
}
