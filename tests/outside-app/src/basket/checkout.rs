//! The checkout: an address, delivery, payment, and a last look.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Env, Keys, Screen, TextSize, View};

use super::Basket;
use super::action::Action;
use super::cart::{Delivery, Payment};
use super::catalogue::money;
use super::orders::amounts;
use super::shop::line_name;

const NAME: &str = "name_field";
const STREET: &str = "street_field";
const POSTCODE: &str = "postcode_field";
const CITY: &str = "city_field";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub name: String,
    pub street: String,
    pub postcode: String,
    pub city: String,
}

impl Address {
    /// The customer's, as the app is installed.
    pub(super) fn first() -> Self {
        Self {
            name: "Kim Lake".to_owned(),
            street: "5 Mill Lane".to_owned(),
            postcode: "12345".to_owned(),
            city: "Lakeside".to_owned(),
        }
    }

    pub(super) fn text(&self) -> String {
        format!("{}, {}, {} {}", self.name, self.street, self.postcode, self.city)
    }

    /// What is wrong with it.
    fn complaint(&self) -> Option<&'static str> {
        if self.name.is_empty() {
            Some("Enter a name")
        } else if self.street.is_empty() {
            Some("Enter a street")
        } else if self.postcode.len() != 5 {
            Some("A postcode has five digits")
        } else if self.city.is_empty() {
            Some("Enter a city")
        } else {
            None
        }
    }
}

/// The steps of the checkout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Address,
    Delivery,
    Payment,
    Review,
}

impl Step {
    const ALL: [Step; 4] = [Step::Address, Step::Delivery, Step::Payment, Step::Review];

    fn of(page: &ActivityState) -> Self {
        let number = usize::try_from(page.number("step")).unwrap_or(0);
        Self::ALL.get(number).copied().unwrap_or_default()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Address => "Address",
            Self::Delivery => "Delivery",
            Self::Payment => "Payment",
            Self::Review => "Your order",
        }
    }
}

/// What is in the form of the address.
pub(super) fn address(page: &ActivityState) -> Address {
    let text = |id| page.field(id).trim().to_owned();
    Address { name: text(NAME), street: text(STREET), postcode: text(POSTCODE), city: text(CITY) }
}

pub(super) fn delivery(page: &ActivityState) -> Delivery {
    Delivery::of(page.variable("delivery"))
}

pub(super) fn payment(page: &ActivityState) -> Payment {
    Payment::of(page.variable("payment"))
}

/// The form begins with the address of the last order.
pub(super) fn fill(basket: &Basket, ctx: &mut Ctx<'_, Action>) {
    ctx.set_field(NAME, &basket.address.name);
    ctx.set_field(STREET, &basket.address.street);
    ctx.set_field(POSTCODE, &basket.address.postcode);
    ctx.set_field(CITY, &basket.address.city);
}

pub(super) fn view(basket: &Basket, page: &ActivityState, env: &Env) -> Screen<Action> {
    let step = Step::of(page);
    let mut body = View::column().fill();
    if !env.is_online() {
        body = body.child(View::label("offline", "You are offline").wide().background(Color::AMBER));
    }
    let content = match step {
        Step::Address => form(page),
        Step::Delivery => deliveries(basket, page),
        Step::Payment => payments(page),
        Step::Review => review(basket, page),
    };
    let (text, action) = match step {
        Step::Review => ("Place order", Action::Place),
        _ => ("Continue", Action::Continue),
    };
    body = body.child(content.share_height()).child(View::button("continue", text, action).wide());
    Screen::new("Checkout", body).color(Color::PURPLE).up().subtitle(format!(
        "Step {} of 4, {}",
        page.number("step") + 1,
        step.name()
    ))
}

fn form(page: &ActivityState) -> View<Action> {
    let mut form = View::scroll("address_form").pad(8);
    if !page.variable("complaint").is_empty() {
        form = form.child(View::label("complaint", page.variable("complaint")).wide().ink(Color::RED));
    }
    form.child(View::field(NAME, "Name"))
        .child(View::field(STREET, "Street and number"))
        .child(View::field(POSTCODE, "Postcode").keys(Keys::Digits))
        .child(View::field(CITY, "City"))
}

fn deliveries(basket: &Basket, page: &ActivityState) -> View<Action> {
    let subtotal = basket.cart.subtotal(&basket.catalogue);
    let radio = |one: Delivery| {
        let price = match one.price(subtotal) {
            0 => "free".to_owned(),
            price => money(price),
        };
        let text = format!("{}, {price}", one.name());
        View::radio("delivery", text, one == delivery(page), Action::Delivery(one)).wide()
    };
    let hint = format!("Standard delivery is free from {} on", money(Delivery::FREE_FROM));
    View::scroll("deliveries").pad(8).children(Delivery::ALL.map(radio)).child(
        View::label("delivery_hint", hint)
            .wide()
            .pad_sides(8, 8)
            .text_size(TextSize::Small)
            .ink(Color::FAINT),
    )
}

fn payments(page: &ActivityState) -> View<Action> {
    let radio =
        |one: Payment| View::radio("payment", one.name(), one == payment(page), Action::Payment(one)).wide();
    View::scroll("payments").pad(8).children(Payment::ALL.map(radio))
}

fn review(basket: &Basket, page: &ActivityState) -> View<Action> {
    let lines = basket.cart.lines.iter().map(|line| {
        let text = format!("{} x {}", line.quantity, line_name(basket, line.key()));
        View::label("review_line", text).wide().pad_sides(16, 4)
    });
    let fact = |id, text: String| View::label(id, text).wide().pad_sides(16, 4).ink(Color::FAINT);
    View::recycler("review")
        .children(lines)
        .children(amounts(basket.totals(delivery(page))))
        .child(fact("review_address", address(page).text()))
        .child(fact("review_delivery", delivery(page).name().to_owned()))
        .child(fact("review_payment", payment(page).name().to_owned()))
}

/// Leads to the next step, if this one can be left.
pub(super) fn go_on(ctx: &mut Ctx<'_, Action>) {
    let complaint = match Step::of(ctx.page()) {
        Step::Address => address(ctx.page()).complaint(),
        _ => None,
    };
    ctx.save("complaint", complaint.unwrap_or_default());
    if complaint.is_none() {
        let step = ctx.page().number("step");
        ctx.save("step", (step + 1).min(3));
        ctx.hide_keyboard();
    }
}

/// Leads to the step before; false at the first one.
pub(super) fn go_back(ctx: &mut Ctx<'_, Action>) -> bool {
    let step = ctx.page().number("step");
    ctx.save("step", step.saturating_sub(1));
    step > 0
}
