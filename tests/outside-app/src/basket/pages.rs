//! The favourites, the page of a product, the cart, and the settings.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Extent, Icon, Screen, TextSize, View,
};

use super::Basket;
use super::action::{Action, LineKey, Tab};
use super::cart::{Delivery, Line, Size};
use super::catalogue::{Order, ProductId, money};
use super::orders::amounts;
use super::shop::{bar, cart_count, line_name, offer, row, star};

/// The field for the code of a coupon.
pub(super) const COUPON: &str = "coupon_field";

pub(super) fn favourites(basket: &Basket) -> Screen<Action> {
    let products = basket.favourites.iter().filter_map(|id| basket.catalogue.get(*id));
    let rows = products.enumerate().map(|(place, product)| {
        let opens = Action::OpenFavourite(product.id, place);
        let add = View::icon_button(
            "add",
            Icon::Add,
            format!("Add {} to cart", product.name),
            if product.has_sizes() { opens } else { Action::AddOne(product.id) },
        );
        let row = row(basket, product, opens);
        if product.stock > 0 { row.child(add) } else { row }
    });
    let list = if basket.favourites.is_empty() {
        View::empty("no_favourites", "Touch the star of what you like")
    } else {
        View::recycler("favourites").children(rows)
    };
    let body = View::column().fill().child(list.share_height()).child(bar(Tab::Favourites));
    let screen = Screen::new("Favourites", body).color(Color::PURPLE).subtitle(cart_count(basket));
    offer(basket, screen.menu("Settings", Action::Settings))
}

/// The size that is chosen on the page of a product.
pub(super) fn size(page: &ActivityState) -> Option<Size> {
    Size::of(page.variable("size"))
}

/// How many are to be put into the cart.
pub(super) fn quantity(page: &ActivityState) -> u64 {
    page.number("quantity").max(1)
}

pub(super) fn product(basket: &Basket, page: &ActivityState) -> Screen<Action> {
    let found = page.argument_number().and_then(|id| basket.catalogue.get(ProductId(id)));
    let Some(product) = found else {
        return Screen::new("Product", View::empty("gone", "No longer sold")).color(Color::PURPLE).up();
    };
    let quantity = quantity(page);
    let mut prices =
        View::row().wide().child(View::label("price", money(product.price)).text_size(TextSize::Title));
    if let Some(was) = product.was {
        let before = format!("was {}", money(was));
        prices = prices.child(View::label("was", before).ink(Color::FAINT).margin(12, 0, 0, 0));
    }
    let mut body = View::scroll("product")
        .pad(16)
        .child(View::label("name", product.name).text_size(TextSize::Large))
        .child(prices)
        .child(View::label("stars", product.stars_text()).ink(Color::FAINT))
        .child(View::label("stock", product.stock_text()));
    if product.has_sizes() {
        let radio = |one: Size| View::radio("size", one.name(), size(page) == Some(one), Action::Size(one));
        body = body.child(View::row().id("sizes").wide().children(Size::ALL.map(radio)));
    }
    let most = basket.cart.room(product.id, &basket.catalogue);
    let fewer = View::button("fewer", "-", Action::Quantity(quantity.saturating_sub(1).max(1)));
    let more = View::button("more", "+", Action::Quantity(quantity + 1));
    let add = View::button("add_to_cart", "Add to cart", Action::Add(product.id));
    body = body
        .child(
            View::row()
                .wide()
                .child(fewer.describe("Fewer").enabled(quantity > 1))
                .child(View::label("quantity", quantity.to_string()).pad_sides(8, 0))
                .child(more.describe("More").enabled(quantity < most))
                .child(add.enabled(product.stock > 0)),
        )
        .child(View::label("about", product.about).multiline().wide().margin(0, 12, 0, 12));
    let alike = basket
        .catalogue
        .sorted(Order::Recommended, |other| other.category == product.category && other.id != product.id);
    let alike = alike.into_iter().take(3).map(|other| {
        View::label("alike", other.name).high(40).pad_sides(8, 8).on_click(Action::Open(other.id))
    });
    body = body.child(View::heading("alike_heading", "You may also like")).children(alike);
    Screen::new(product.category.name(), body)
        .color(Color::PURPLE)
        .up()
        .subtitle(cart_count(basket))
        .tool(star(basket, product).ink(Color::WHITE))
}

pub(super) fn cart(basket: &Basket) -> Screen<Action> {
    let mut body = View::column().fill();
    if basket.cart.lines.is_empty() {
        body = body.child(View::empty("cart_empty", "Your cart is empty").share_height());
    } else {
        let count = match basket.cart.pieces() {
            1 => "1 item".to_owned(),
            count => format!("{count} items"),
        };
        let list = View::recycler("cart_lines")
            .children(basket.cart.lines.iter().map(|line| cart_line(basket, line)))
            .child(coupon(basket))
            .children(amounts(basket.totals(Delivery::Standard)));
        body = body
            .child(View::label("cart_items", count).wide().pad_sides(16, 6))
            .child(list.share_height())
            .child(View::button("checkout", "Check out", Action::Checkout).wide());
    }
    let screen = Screen::new("Cart", body.child(bar(Tab::Cart))).color(Color::PURPLE);
    offer(basket, screen.menu("Settings", Action::Settings))
}

fn cart_line(basket: &Basket, line: &Line) -> View<Action> {
    let name = line_name(basket, line.key());
    let price = basket.catalogue.get(line.product).map_or(0, |product| product.price);
    let button = |id: &'static str, text: &str, what: &str, action| {
        View::button(id, text, action).describe(format!("{what} {name}"))
    };
    let has_more = basket.cart.room(line.product, &basket.catalogue) > 0;
    let counter = View::row()
        .wide()
        .child(button("line_fewer", "-", "Fewer", Action::Fewer(line.key())).enabled(line.quantity > 1))
        .child(View::label("line_quantity", line.quantity.to_string()).pad_sides(8, 0))
        .child(button("line_more", "+", "More", Action::More(line.key())).enabled(has_more))
        .child(View::label("line_total", money(price * line.quantity)).margin(16, 0, 0, 0));
    let title = View::label("line_name", &name).share_width().on_click(Action::Open(line.product));
    let head = View::row().wide().child(title).child(
        View::icon_button(
            "line_remove",
            Icon::Delete,
            format!("Remove {name}"),
            Action::AskRemove(line.key()),
        )
        .size(Extent::Dp(40), Extent::Dp(32)),
    );
    View::new("android.view.ViewGroup", Arrange::Column)
        .id("cart_line")
        .high(88)
        .pad_sides(16, 2)
        .child(head)
        .child(counter)
}

fn coupon(basket: &Basket) -> View<Action> {
    let row = View::row().high(56).pad_sides(12, 4);
    match basket.cart.coupon {
        Some((coupon, _)) => {
            let text = format!("{}, {}", coupon.code(), coupon.what());
            row.child(View::label("coupon", text).share_width()).child(View::icon_button(
                "drop_coupon",
                Icon::Close,
                "Remove coupon",
                Action::DropCoupon,
            ))
        }
        None => row
            .child(
                View::field(COUPON, "Coupon").size(Extent::Share, Extent::Dp(48)).on_submit(Action::Coupon),
            )
            .child(View::button("apply", "Apply", Action::Coupon)),
    }
}

pub(super) fn ask_remove(basket: &Basket, key: LineKey, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new(format!("Remove {}?", line_name(basket, key)))
        .negative("Cancel")
        .positive("Remove", Action::Remove(key));
    ctx.show(dialog);
}

pub(super) fn settings(basket: &Basket) -> Screen<Action> {
    let address = if basket.address.name.is_empty() { "None".to_owned() } else { basket.address.text() };
    let list = View::recycler("settings")
        .child(View::setting(
            "Compact lists",
            "Without rating and stock",
            basket.compact,
            Action::ToggleCompact,
        ))
        .child(View::setting(
            "Recently viewed",
            "Above all products",
            basket.shows_recent,
            Action::ToggleRecent,
        ))
        .child(View::setting(
            "Confirm removal",
            "Ask before something leaves the cart",
            basket.confirms,
            Action::ToggleConfirm,
        ))
        .child(View::preference("Forget my address", &address, Action::ForgetAddress));
    Screen::new("Settings", list).color(Color::PURPLE).up()
}
