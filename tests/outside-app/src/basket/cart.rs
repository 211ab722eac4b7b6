//! The cart, its coupon, and what it comes to.

use super::action::LineKey;
use super::catalogue::{Catalogue, ProductId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Small,
    Medium,
    Large,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coupon {
    /// A tenth off.
    Spring,
    /// 10 dollars off from 60 dollars on.
    Ten,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Delivery {
    #[default]
    Standard,
    Express,
    PickUp,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Payment {
    #[default]
    Card,
    Invoice,
    OnDelivery,
}

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub product: ProductId,
    pub size: Option<Size>,
    pub quantity: u64,
    /// How many were put in.
    pub put: u64,
}

/// In cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Totals {
    pub subtotal: u64,
    pub discount: u64,
    pub delivery: u64,
}

impl Size {
    pub(super) const ALL: [Size; 3] = [Size::Small, Size::Medium, Size::Large];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Small => "S",
            Self::Medium => "M",
            Self::Large => "L",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.name() == name)
    }
}

impl Coupon {
    const ALL: [Coupon; 2] = [Coupon::Spring, Coupon::Ten];

    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Spring => "SPRING10",
            Self::Ten => "TENOFF",
        }
    }

    pub(super) fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|coupon| coupon.code().eq_ignore_ascii_case(code.trim()))
    }

    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Spring => "10 % off everything",
            Self::Ten => "$10 off from $60",
        }
    }

    pub(super) fn discount(self, subtotal: u64) -> u64 {
        match self {
            Self::Spring => subtotal / 10,
            Self::Ten if subtotal >= 6000 => 1000,
            Self::Ten => 0,
        }
    }
}

impl Delivery {
    pub(super) const ALL: [Delivery; 3] = [Delivery::Standard, Delivery::Express, Delivery::PickUp];
    /// From this subtotal on standard delivery costs nothing.
    pub(super) const FREE_FROM: u64 = 5000;

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Standard => "Standard delivery",
            Self::Express => "Express delivery",
            Self::PickUp => "Pick up at the shop",
        }
    }

    pub(super) fn price(self, subtotal: u64) -> u64 {
        match self {
            Self::Standard if subtotal < Self::FREE_FROM => 490,
            Self::Standard | Self::PickUp => 0,
            Self::Express => 990,
        }
    }

    pub(super) fn of(name: &str) -> Self {
        Self::ALL.into_iter().find(|delivery| delivery.name() == name).unwrap_or_default()
    }
}

impl Payment {
    pub(super) const ALL: [Payment; 3] = [Payment::Card, Payment::Invoice, Payment::OnDelivery];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Card => "Card",
            Self::Invoice => "Invoice",
            Self::OnDelivery => "Cash on delivery",
        }
    }

    pub(super) fn of(name: &str) -> Self {
        Self::ALL.into_iter().find(|payment| payment.name() == name).unwrap_or_default()
    }
}

impl Totals {
    pub(super) fn total(self) -> u64 {
        self.subtotal.saturating_sub(self.discount).saturating_add(self.delivery)
    }
}

impl Line {
    pub(super) fn key(&self) -> LineKey {
        (self.product, self.size)
    }
}

/// What is in the cart, in the order in which it was put there.
#[derive(Clone, Debug, Default)]
pub(super) struct Cart {
    pub lines: Vec<Line>,
    /// The coupon, and the discount that it gave when it was entered.
    pub coupon: Option<(Coupon, u64)>,
}

impl Cart {
    pub(super) fn pieces(&self) -> u64 {
        self.lines.iter().map(|line| line.quantity).sum()
    }

    /// How many more of a product there are to put in.
    pub(super) fn room(&self, product: ProductId, catalogue: &Catalogue) -> u64 {
        let of_product = self.lines.iter().filter(|line| line.product == product);
        let inside: u64 = of_product.map(|line| line.quantity).sum();
        catalogue.get(product).map_or(0, |product| product.stock).saturating_sub(inside)
    }

    /// Puts up to so many in; gives how many there were.
    pub(super) fn add(&mut self, key: LineKey, quantity: u64, catalogue: &Catalogue) -> u64 {
        let quantity = quantity.min(self.room(key.0, catalogue));
        if quantity == 0 {
            return 0;
        }
        match self.lines.iter_mut().find(|line| line.key() == key) {
            Some(line) => {
                line.quantity += quantity;
                line.put = line.quantity;
            }
            None => self.lines.push(Line { product: key.0, size: key.1, quantity, put: quantity }),
        }
        quantity
    }

    pub(super) fn change(&mut self, key: LineKey, change: impl FnOnce(u64) -> u64) {
        if let Some(line) = self.lines.iter_mut().find(|line| line.key() == key) {
            line.quantity = change(line.quantity).max(1);
        }
    }

    /// Takes a line out; gives it with its place.
    pub(super) fn remove(&mut self, key: LineKey) -> Option<(usize, Line)> {
        let at = self.lines.iter().position(|line| line.key() == key)?;
        Some((at, self.lines.remove(at)))
    }

    pub(super) fn subtotal(&self, catalogue: &Catalogue) -> u64 {
        let price = |line: &Line| catalogue.get(line.product).map_or(0, |product| product.price);
        self.lines.iter().map(|line| price(line).saturating_mul(line.quantity)).sum()
    }
}
