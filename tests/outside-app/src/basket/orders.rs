//! What was ordered, and the pages that show it.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Moment, Screen, TextSize, View,
};

use super::Basket;
use super::action::{Action, Tab};
use super::cart::{Coupon, Delivery, Payment, Size, Totals};
use super::catalogue::{ProductId, money};
use super::checkout::Address;
use super::shop::{bar, cart_count, offer};

/// A line of an order, as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ordered {
    pub product: ProductId,
    pub size: Option<Size>,
    pub name: String,
    pub quantity: u64,
    /// Of one.
    pub price: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub number: u64,
    pub placed: Moment,
    pub lines: Vec<Ordered>,
    pub totals: Totals,
    pub delivery: Delivery,
    pub payment: Payment,
    pub address: Address,
    pub cancelled: bool,
}

/// The orders of a customer, oldest first.
#[derive(Clone)]
pub(super) struct Orders(pub Vec<Order>);

impl Orders {
    /// Those placed before the app was installed.
    pub(super) fn new(address: &Address) -> Self {
        let line = |product, name: &str, quantity, price| Ordered {
            product: ProductId(product),
            size: None,
            name: name.to_owned(),
            quantity,
            price,
        };
        let order = |number, day, lines: Vec<Ordered>| {
            let subtotal = lines.iter().map(|line| line.price * line.quantity).sum();
            Order {
                number,
                placed: Moment::of_day_text(day).unwrap_or(Moment(0)),
                lines,
                totals: Totals { subtotal, discount: 0, delivery: Delivery::Standard.price(subtotal) },
                delivery: Delivery::Standard,
                payment: Payment::Card,
                address: address.clone(),
                cancelled: false,
            }
        };
        Self(vec![
            order(1001, "2026-01-12", vec![line(7, "Tea cup", 4, 590)]),
            order(
                1002,
                "2026-02-09",
                vec![line(10, "Frying pan", 1, 3900), line(11, "Watering can", 1, 1590)],
            ),
        ])
    }

    pub(super) fn get(&self, number: u64) -> Option<&Order> {
        self.0.iter().find(|order| order.number == number)
    }

    pub(super) fn next_number(&self) -> u64 {
        self.0.last().map_or(1001, |order| order.number + 1)
    }
}

impl Order {
    /// Until it is packed it can be cancelled: for half an hour.
    const UNTIL_PACKED: u64 = 30 * 60_000;
    const UNTIL_DELIVERED: u64 = 3 * 24 * 60 * 60_000;

    fn status(&self, env: &Env) -> &'static str {
        match env.now().0.saturating_sub(self.placed.0) {
            _ if self.cancelled => "Cancelled",
            Self::UNTIL_DELIVERED.. => "Delivered",
            Self::UNTIL_PACKED.. => "Packed",
            _ => "Placed",
        }
    }

    pub(super) fn can_be_cancelled(&self, env: &Env) -> bool {
        self.status(env) == "Placed"
    }
}

/// The order that a page is about, and whether it was placed just before.
pub(super) fn target(page: &ActivityState) -> (u64, bool) {
    let argument = page.argument();
    let new = argument.strip_prefix("new ");
    (new.unwrap_or(argument).parse().unwrap_or(0), new.is_some())
}

/// The page with all orders, newest first.
pub(super) fn list(basket: &Basket, env: &Env) -> Screen<Action> {
    let row = |order: &Order| {
        let texts = View::column()
            .share_width()
            .child(View::label("order_number", format!("Order {}", order.number)))
            .child(
                View::label("order_day", order.placed.day_text())
                    .text_size(TextSize::Small)
                    .ink(Color::FAINT),
            );
        View::new("android.view.ViewGroup", Arrange::Row)
            .id("order_row")
            .high(60)
            .pad_sides(16, 6)
            .on_click(Action::OpenOrder(order.number))
            .child(texts)
            .child(View::chip("order_status", order.status(env)))
            .child(View::label("order_total", money(order.totals.total())))
    };
    let list = View::recycler("orders").children(basket.orders.0.iter().rev().map(row));
    let body = View::column().fill().child(list.share_height()).child(bar(Tab::Orders));
    let screen = Screen::new("Orders", body).color(Color::PURPLE).subtitle(cart_count(basket));
    offer(basket, screen.menu("Settings", Action::Settings))
}

/// A line of text with an amount at its end.
pub(super) fn amount(id: &'static str, name: &str, text: String) -> View<Action> {
    View::row()
        .high(32)
        .pad_sides(16, 4)
        .child(View::text(name).share_width().ink(Color::FAINT))
        .child(View::label(id, text))
}

/// What an order, or the cart, comes to.
pub(super) fn amounts(totals: Totals) -> Vec<View<Action>> {
    let mut rows = vec![amount("subtotal", "Subtotal", money(totals.subtotal))];
    if totals.discount > 0 {
        rows.push(amount("discount", "Discount", format!("-{}", money(totals.discount))));
    }
    let delivery = if totals.delivery == 0 { "Free".to_owned() } else { money(totals.delivery) };
    rows.push(amount("delivery", "Delivery", delivery));
    rows.push(amount("total", "Total", money(totals.total())));
    rows
}

pub(super) fn view(basket: &Basket, page: &ActivityState, env: &Env) -> Screen<Action> {
    let (number, is_new) = target(page);
    let Some(order) = basket.orders.get(number) else {
        return Screen::new("Order", View::empty("gone", "There is no such order")).color(Color::PURPLE).up();
    };
    let mut body = View::recycler("order");
    if is_new && !order.cancelled {
        let gift = format!("Thank you! {} with {}", Coupon::Ten.what(), Coupon::Ten.code());
        body = body.child(View::label("thanks", gift).wide().pad_sides(16, 8).background(Color::AMBER));
    }
    let line = |line: &Ordered| {
        let text = format!("{} x {}", line.quantity, line.name);
        View::row()
            .high(40)
            .pad_sides(16, 4)
            .on_click(Action::Open(line.product))
            .child(View::label("ordered", text).share_width())
            .child(View::label("ordered_total", money(line.price * line.quantity)))
    };
    body = body
        .child(View::row().wide().pad_sides(16, 8).child(View::chip("status", order.status(env))))
        .children(order.lines.iter().map(line))
        .children(amounts(order.totals))
        .child(
            View::label("placed", format!("Placed on {}", order.placed.day_text())).wide().pad_sides(16, 4),
        )
        .child(View::label("address", order.address.text()).wide().pad_sides(16, 4))
        .child(View::label("sent_by", order.delivery.name()).wide().pad_sides(16, 4))
        .child(View::label("paid_by", order.payment.name()).wide().pad_sides(16, 4));
    let mut buttons =
        View::row().wide().pad_sides(8, 4).child(View::button("again", "Buy again", Action::Again(number)));
    if order.can_be_cancelled(env) {
        buttons = buttons.child(View::button("cancel_order", "Cancel order", Action::AskCancel(number)));
    }
    Screen::new(format!("Order {number}"), body.child(buttons))
        .color(Color::PURPLE)
        .up()
        .subtitle(cart_count(basket))
}

pub(super) fn ask_cancel(number: u64, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new(format!("Cancel order {number}?"))
        .negative("Keep it")
        .positive("Cancel order", Action::Cancel(number));
    ctx.show(dialog);
}
