//! A shop: products in categories, favourites, a cart, a checkout in steps, orders.
//!
//! Modelled on the apps of large shops, and WooCommerce.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen};
use droidmux::sim::{DefectSwitches, SimApp};

use action::{Action, LineKey, Tab};
use cart::{Cart, Coupon, Delivery, Line, Totals};
use catalogue::{Catalogue, Order, ProductId};
use checkout::Address;
use declared::{DEFECTS, DISCOUNT_STALE, FAVOURITE_OPENS, KILLED_QUANTITY, TRAPS, UNDO_QUANTITY};
use orders::Orders;

mod action;
mod cart;
#[cfg(test)]
pub(crate) mod cases;
mod catalogue;
mod checkout;
mod declared;
mod orders;
mod pages;
mod sales;
mod shop;
#[cfg(test)]
pub(crate) mod traps;

const MANIFEST: Manifest = Manifest {
    package: "com.example.basket",
    label: "Basket",
    version_name: "5.0.3",
    version_code: 503,
    activities: &[MAIN, PRODUCT, CHECKOUT, ORDER, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "ShopActivity";
const PRODUCT: &str = "ProductActivity";
const CHECKOUT: &str = "CheckoutActivity";
const ORDER: &str = "OrderActivity";
const SETTINGS: &str = "SettingsActivity";

/// The shop, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Basket::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Basket {
    catalogue: Catalogue,
    order: Order,
    cart: Cart,
    /// How many pieces were taken out of the cart.
    removed: u64,
    /// The latest first.
    favourites: Vec<ProductId>,
    /// The favourites as their list was filled, while one was taken out of it since.
    filled: Option<Vec<ProductId>>,
    /// The latest first.
    recent: Vec<ProductId>,
    orders: Orders,
    /// Of the last order.
    address: Address,
    compact: bool,
    shows_recent: bool,
    confirms: bool,
    undo: Option<Undo>,
    defects: DefectSwitches,
}

/// What was removed last and its place, while it can be brought back.
#[derive(Clone)]
enum Undo {
    Line(usize, Line),
    Favourite(usize, ProductId),
}

impl Basket {
    /// How many products it remembers as viewed.
    const RECENT: usize = 3;

    fn new(defects: &DefectSwitches) -> Self {
        let address = Address::first();
        Self {
            catalogue: Catalogue::new(),
            order: Order::default(),
            cart: Cart::default(),
            removed: 0,
            favourites: Vec::new(),
            filled: None,
            recent: Vec::new(),
            orders: Orders::new(&address),
            address,
            compact: false,
            shows_recent: true,
            confirms: false,
            undo: None,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Tab(tab) => {
                ctx.save("tab", tab.name());
                self.filled = None;
            }
            Action::Category(category) => {
                ctx.save("category", category.map_or("", |category| category.name()));
                ctx.scroll_to_top("products");
            }
            Action::AskOrder => shop::ask_order(self, ctx),
            Action::Order(order) => {
                self.order = order;
                shop::sorted(ctx);
            }
            Action::AskFilter => shop::ask_filter(ctx),
            Action::Filter => shop::set_filter(true, ctx),
            Action::ClearFilter => shop::set_filter(false, ctx),
            Action::Open(id) => ctx.start(PRODUCT, id.0),
            Action::OpenFavourite(id, place) => {
                // The wrong list still has what was taken out of it.
                let id = self.defects.either(&FAVOURITE_OPENS, id, || {
                    self.filled.as_ref().and_then(|filled| filled.get(place)).copied().unwrap_or(id)
                });
                ctx.start(PRODUCT, id.0);
            }
            Action::Favour(id) => {
                self.favourites.insert(0, id);
                self.filled = None;
            }
            Action::Unfavour(id) => self.unfavour(id, ctx),
            Action::Size(size) => ctx.save("size", size.name()),
            Action::Quantity(quantity) => ctx.save("quantity", quantity),
            Action::Add(id) => self.add(id, ctx),
            Action::AddOne(id) => self.put((id, None), 1, ctx),
            Action::More(key) => {
                if self.cart.room(key.0, &self.catalogue) > 0 {
                    self.cart.change(key, |quantity| quantity + 1);
                }
            }
            Action::Fewer(key) => self.cart.change(key, |quantity| quantity.saturating_sub(1)),
            Action::AskRemove(key) if self.confirms => pages::ask_remove(self, key, ctx),
            Action::AskRemove(key) | Action::Remove(key) => {
                if let Some((at, line)) = self.cart.remove(key) {
                    self.removed += line.quantity;
                    self.undo = Some(Undo::Line(at, line));
                }
            }
            Action::Undo => self.bring_back(undo),
            Action::Coupon => self.apply_coupon(ctx),
            Action::DropCoupon => self.cart.coupon = None,
            Action::Checkout => ctx.start(CHECKOUT, ""),
            Action::Continue => checkout::go_on(ctx),
            Action::Delivery(delivery) => ctx.save("delivery", delivery.name()),
            Action::Payment(payment) => ctx.save("payment", payment.name()),
            Action::Place => self.place(ctx),
            Action::OpenOrder(number) => ctx.start(ORDER, number),
            Action::AskCancel(number) => orders::ask_cancel(number, ctx),
            Action::Cancel(number) => self.cancel(number, ctx),
            Action::Again(number) => self.buy_again(number, ctx),
            Action::ClearRecent => self.recent.clear(),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::ToggleCompact => self.compact = !self.compact,
            Action::ToggleRecent => self.shows_recent = !self.shows_recent,
            Action::ToggleConfirm => self.confirms = !self.confirms,
            Action::ForgetAddress => self.address = Address::default(),
        }
    }

    fn unfavour(&mut self, id: ProductId, ctx: &Ctx<'_, Action>) {
        let Some(at) = self.favourites.iter().position(|known| *known == id) else { return };
        let before = self.favourites.clone();
        self.favourites.remove(at);
        // Only their own list offers to bring them back.
        if ctx.page().activity() == MAIN && Tab::of(ctx.page()) == Tab::Favourites {
            self.filled.get_or_insert(before);
            self.undo = Some(Undo::Favourite(at, id));
        }
    }

    fn add(&mut self, id: ProductId, ctx: &mut Ctx<'_, Action>) {
        let has_sizes = self.catalogue.get(id).is_some_and(|product| product.has_sizes());
        let size = pages::size(ctx.page());
        if has_sizes && size.is_none() {
            return ctx.toast("Choose a size");
        }
        let quantity = pages::quantity(ctx.page());
        self.put((id, size), quantity, ctx);
        ctx.save("quantity", 1);
    }

    fn put(&mut self, key: LineKey, quantity: u64, ctx: &mut Ctx<'_, Action>) {
        let put = self.cart.add(key, quantity, &self.catalogue);
        ctx.toast(if put == 0 { "There are no more" } else { "Added to the cart" });
    }

    fn bring_back(&mut self, undo: Option<Undo>) {
        match undo {
            Some(Undo::Line(at, mut line)) => {
                self.removed = self.removed.saturating_sub(line.quantity);
                // The wrong undo puts the product in again.
                if self.defects.strikes(&UNDO_QUANTITY, line.quantity > 1) {
                    line.quantity = 1;
                }
                self.cart.lines.insert(at.min(self.cart.lines.len()), line);
            }
            Some(Undo::Favourite(at, id)) => {
                self.favourites.insert(at.min(self.favourites.len()), id);
                self.filled = None;
            }
            None => {}
        }
    }

    fn apply_coupon(&mut self, ctx: &mut Ctx<'_, Action>) {
        match Coupon::of(&ctx.field(pages::COUPON)) {
            Some(coupon) => {
                let discount = coupon.discount(self.cart.subtotal(&self.catalogue));
                self.cart.coupon = Some((coupon, discount));
                ctx.set_field(pages::COUPON, "");
                ctx.hide_keyboard();
            }
            None => ctx.toast("There is no such coupon"),
        }
    }

    /// What the cart comes to.
    fn totals(&self, delivery: Delivery) -> Totals {
        let subtotal = self.cart.subtotal(&self.catalogue);
        let discount = self.cart.coupon.map_or(0, |(coupon, then)| {
            // The wrong discount was worked out once.
            self.defects.either(&DISCOUNT_STALE, coupon.discount(subtotal), || then.min(subtotal))
        });
        Totals { subtotal, discount, delivery: delivery.price(subtotal) }
    }

    fn view_product(&mut self, id: ProductId) {
        self.recent.retain(|known| *known != id);
        self.recent.insert(0, id);
        self.recent.truncate(Self::RECENT);
    }
}

impl App for Basket {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            PRODUCT => pages::product(self, page),
            CHECKOUT => checkout::view(self, page, env),
            ORDER => orders::view(self, page, env),
            SETTINGS => pages::settings(self),
            _ => match Tab::of(page) {
                Tab::Shop => shop::view(self, page, env),
                Tab::Favourites => pages::favourites(self),
                Tab::Cart => pages::cart(self),
                Tab::Orders => orders::list(self, env),
            },
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } => match ctx.page().activity() {
                PRODUCT => {
                    if let Some(id) = ctx.page().argument_number() {
                        self.view_product(ProductId(id));
                    }
                }
                CHECKOUT => checkout::fill(self, ctx),
                _ => {}
            },
            Input::Opened { again: true } => self.filled = None,
            Input::Shown if ctx.page().activity() == ORDER => self.resume_order(ctx),
            Input::Hidden => self.undo = None,
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        match ctx.page().activity() {
            MAIN => {
                let elsewhere = Tab::of(ctx.page()) != Tab::Shop;
                ctx.save("tab", Tab::Shop.name());
                self.filled = None;
                elsewhere
            }
            CHECKOUT => checkout::go_back(ctx),
            _ => false,
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
        self.filled = None;
        let changed = self.cart.lines.iter().any(|line| line.quantity != line.put);
        if self.defects.strikes(&KILLED_QUANTITY, changed) {
            self.cart.lines.iter_mut().for_each(|line| line.quantity = line.put);
        }
    }
}
