//! What touching the widgets of the shop can mean.

use droidmux::sim::toolkit::ActivityState;

use super::cart::{Delivery, Payment, Size};
use super::catalogue::{Category, Order, ProductId};

/// The destinations of the first page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tab {
    #[default]
    Shop,
    Favourites,
    Cart,
    Orders,
}

/// A line of the cart: one product in one size.
pub(super) type LineKey = (ProductId, Option<Size>);

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Tab(Tab),
    Category(Option<Category>),
    AskOrder,
    Order(Order),
    AskFilter,
    Filter,
    ClearFilter,
    Open(ProductId),
    /// From a place in the list of favourites.
    OpenFavourite(ProductId, usize),
    Favour(ProductId),
    Unfavour(ProductId),
    Size(Size),
    Quantity(u64),
    /// From the page of the product.
    Add(ProductId),
    /// One of it, from a list.
    AddOne(ProductId),
    More(LineKey),
    Fewer(LineKey),
    AskRemove(LineKey),
    Remove(LineKey),
    Undo,
    Coupon,
    DropCoupon,
    Checkout,
    Continue,
    Delivery(Delivery),
    Payment(Payment),
    Place,
    OpenOrder(u64),
    AskCancel(u64),
    Cancel(u64),
    Again(u64),
    ClearRecent,
    Settings,
    ToggleCompact,
    ToggleRecent,
    ToggleConfirm,
    ForgetAddress,
}

impl Tab {
    pub(super) const ALL: [Tab; 4] = [Tab::Shop, Tab::Favourites, Tab::Cart, Tab::Orders];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Shop => "Shop",
            Self::Favourites => "Favourites",
            Self::Cart => "Cart",
            Self::Orders => "Orders",
        }
    }

    /// The one a page shows.
    pub(super) fn of(page: &ActivityState) -> Self {
        let named = |tab: &Tab| tab.name() == page.variable("tab");
        Self::ALL.into_iter().find(named).unwrap_or_default()
    }
}
