//! What the shop sells.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProductId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Category {
    Kitchen,
    Garden,
    Clothes,
    Books,
}

/// How products are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Recommended,
    Cheapest,
    Dearest,
    Rating,
    Name,
}

#[derive(Clone, Debug)]
pub(super) struct Product {
    pub id: ProductId,
    pub name: &'static str,
    pub category: Category,
    /// In cents.
    pub price: u64,
    /// The price before the sale.
    pub was: Option<u64>,
    /// Tenths of a star.
    pub stars: u64,
    pub stock: u64,
    pub about: &'static str,
}

/// What products have to be to pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub in_stock: bool,
    pub on_sale: bool,
    pub four_stars: bool,
}

type Entry = (&'static str, Category, u64, u64, u64, u64, &'static str);

/// Name, category, price, price before the sale (0 for none), stars, stock, description.
const ENTRIES: [Entry; 14] = [
    ("Coffee pot", Category::Kitchen, 2490, 0, 45, 8, "Enamelled, for six cups."),
    ("Wool socks", Category::Clothes, 950, 0, 44, 15, "Warm in boots, soft at home."),
    ("Bread knife", Category::Kitchen, 1890, 2390, 41, 3, "Steel from the old forge, with a beech handle."),
    ("Bird house", Category::Garden, 2750, 0, 48, 4, "Larch, for tits and sparrows."),
    ("Atlas of rivers", Category::Books, 3200, 0, 49, 2, "Two hundred maps from spring to mouth."),
    ("Rain jacket", Category::Clothes, 6900, 8900, 42, 5, "Keeps dry through a whole day in the garden."),
    ("Tea cup", Category::Kitchen, 650, 0, 38, 20, "Stoneware, with a blue rim."),
    ("Garden gloves", Category::Garden, 790, 990, 36, 12, "Goat leather, one size."),
    ("Plum cake and pies", Category::Books, 1750, 0, 40, 7, "Eighty recipes for fruit and flour."),
    ("Frying pan", Category::Kitchen, 3900, 0, 47, 0, "Cast iron, 26 cm."),
    ("Watering can", Category::Garden, 1590, 0, 43, 6, "Zinc, ten litres."),
    ("T-shirt", Category::Clothes, 1490, 0, 39, 9, "Plain cotton."),
    ("Knots for beginners", Category::Books, 1150, 0, 35, 10, "With a rope to practise."),
    ("Flower pot", Category::Garden, 1200, 0, 40, 1, "Clay, with a saucer."),
];

impl Category {
    pub(super) const ALL: [Category; 4] =
        [Category::Kitchen, Category::Garden, Category::Clothes, Category::Books];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kitchen => "Kitchen",
            Self::Garden => "Garden",
            Self::Clothes => "Clothes",
            Self::Books => "Books",
        }
    }
}

impl Order {
    pub(super) const ALL: [Order; 5] =
        [Order::Recommended, Order::Cheapest, Order::Dearest, Order::Rating, Order::Name];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Recommended => "Recommended",
            Self::Cheapest => "Price, lowest first",
            Self::Dearest => "Price, highest first",
            Self::Rating => "Best rated",
            Self::Name => "Name",
        }
    }
}

impl Filter {
    /// How many conditions it has.
    pub(super) fn count(self) -> usize {
        [self.in_stock, self.on_sale, self.four_stars].into_iter().filter(|on| *on).count()
    }

    pub(super) fn passes(self, product: &Product) -> bool {
        (!self.in_stock || product.stock > 0)
            && (!self.on_sale || product.was.is_some())
            && (!self.four_stars || product.stars >= 40)
    }
}

impl Product {
    /// Whether it comes in sizes.
    pub(super) fn has_sizes(&self) -> bool {
        self.category == Category::Clothes && self.name != "Wool socks"
    }

    pub(super) fn matches(&self, query: &str) -> bool {
        let query = query.to_lowercase();
        [self.name, self.about].iter().any(|text| text.to_lowercase().contains(&query))
    }

    pub(super) fn stock_text(&self) -> String {
        match self.stock {
            0 => "Sold out".to_owned(),
            1..=3 => format!("Only {} left", self.stock),
            _ => "In stock".to_owned(),
        }
    }

    pub(super) fn stars_text(&self) -> String {
        format!("{}.{} stars", self.stars / 10, self.stars % 10)
    }
}

/// All products, as the shop recommends them.
#[derive(Clone, Debug)]
pub(super) struct Catalogue(Vec<Product>);

impl Catalogue {
    pub(super) fn new() -> Self {
        let product = |(n, (name, category, price, was, stars, stock, about)): (u64, Entry)| Product {
            id: ProductId(n),
            name,
            category,
            price,
            was: (was > 0).then_some(was),
            stars,
            stock,
            about,
        };
        Self((1..).zip(ENTRIES).map(product).collect())
    }

    pub(super) fn get(&self, id: ProductId) -> Option<&Product> {
        self.0.iter().find(|product| product.id == id)
    }

    pub(super) fn change_stock(&mut self, id: ProductId, change: impl FnOnce(u64) -> u64) {
        if let Some(product) = self.0.iter_mut().find(|product| product.id == id) {
            product.stock = change(product.stock);
        }
    }

    /// Those that pass, in this order.
    pub(super) fn sorted(&self, order: Order, passes: impl Fn(&Product) -> bool) -> Vec<&Product> {
        let mut list: Vec<&Product> = self.0.iter().filter(|product| passes(product)).collect();
        match order {
            Order::Recommended => {}
            Order::Cheapest => list.sort_by_key(|product| product.price),
            Order::Dearest => list.sort_by_key(|product| std::cmp::Reverse(product.price)),
            Order::Rating => list.sort_by_key(|product| std::cmp::Reverse(product.stars)),
            Order::Name => list.sort_by_key(|product| product.name),
        }
        list
    }

    /// The product that is picked by a number.
    pub(super) fn pick(&self, number: u64) -> Option<&Product> {
        let count = u64::try_from(self.0.len()).unwrap_or(1).max(1);
        self.0.get(usize::try_from(number % count).unwrap_or(0))
    }
}

/// `$12.90`
pub(super) fn money(cents: u64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
