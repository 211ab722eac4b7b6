//! Placing orders, cancelling them, and ordering again.

use droidmux::sim::toolkit::Ctx;

use super::action::Action;
use super::cart::{Cart, Line};
use super::checkout::Address;
use super::declared::{ADDRESS_OLD, CANCEL_STOCK, ORDER_DOUBLED};
use super::orders::{Order, Ordered};
use super::{Basket, ORDER, checkout, orders, shop};

impl Basket {
    pub(super) fn place(&mut self, ctx: &mut Ctx<'_, Action>) {
        if !ctx.env().is_online() {
            return ctx.toast("No connection");
        }
        let line = |line: &Line| Ordered {
            product: line.product,
            size: line.size,
            name: shop::line_name(self, line.key()),
            quantity: line.quantity,
            price: self.catalogue.get(line.product).map_or(0, |product| product.price),
        };
        let lines: Vec<Ordered> = self.cart.lines.iter().map(line).collect();
        if lines.is_empty() {
            return ctx.finish();
        }
        let (delivery, payment) = (checkout::delivery(ctx.page()), checkout::payment(ctx.page()));
        let typed = checkout::address(ctx.page());
        // The wrong order goes where the last one went.
        let address = self.defects.either(&ADDRESS_OLD, typed.clone(), || {
            if self.address == Address::default() { typed.clone() } else { self.address.clone() }
        });
        for line in &lines {
            self.catalogue.change_stock(line.product, |stock| stock.saturating_sub(line.quantity));
        }
        let (number, totals) = (self.orders.next_number(), self.totals(delivery));
        self.orders.0.push(Order {
            number,
            placed: ctx.env().now(),
            lines,
            totals,
            delivery,
            payment,
            address,
            cancelled: false,
        });
        self.address = typed;
        self.cart = Cart::default();
        self.removed = 0;
        ctx.finish();
        ctx.start(ORDER, format!("new {number}"));
    }

    pub(super) fn cancel(&mut self, number: u64, ctx: &mut Ctx<'_, Action>) {
        let open = self.orders.0.iter_mut().find(|order| order.number == number);
        let Some(order) = open.filter(|order| order.can_be_cancelled(ctx.env())) else {
            return ctx.toast("It is packed already");
        };
        order.cancelled = true;
        // What the wrong shop sold once is sold.
        if self.defects.strikes(&CANCEL_STOCK, true) {
            return;
        }
        for line in &order.lines {
            self.catalogue.change_stock(line.product, |stock| stock + line.quantity);
        }
    }

    pub(super) fn buy_again(&mut self, number: u64, ctx: &mut Ctx<'_, Action>) {
        let Some(order) = self.orders.get(number) else { return };
        let mut put = 0;
        for line in &order.lines {
            put += self.cart.add((line.product, line.size), line.quantity, &self.catalogue);
        }
        ctx.toast(if put == 0 { "Sold out" } else { "Added to the cart" });
    }

    /// Comes back to the page of an order that was placed just before.
    pub(super) fn resume_order(&mut self, ctx: &mut Ctx<'_, Action>) {
        let (number, is_new) = orders::target(ctx.page());
        let first = is_new && ctx.page().number("sent") == 0;
        let Some(order) = self.orders.get(number).filter(|order| first && !order.cancelled) else { return };
        // The wrong page sends the order again when it resumes.
        if self.defects.strikes(&ORDER_DOUBLED, true) {
            let again = Order { number: self.orders.next_number(), ..order.clone() };
            self.orders.0.push(again);
            ctx.save("sent", 1);
        }
    }
}
