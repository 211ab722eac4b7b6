//! What is selected on a page: numbers in a variable of the page that is part of its saved state.

use droidmux::sim::toolkit::{ActivityState, Ctx};

const VARIABLE: &str = "selected";

/// What is selected, in the order in which it was; empty outside the selection mode.
pub(crate) fn selected(page: &ActivityState) -> Vec<u64> {
    numbers(page.variable(VARIABLE))
}

/// Selects one more, or takes it out of what is selected.
pub(crate) fn toggle<A>(id: u64, ctx: &mut Ctx<'_, A>) {
    let mut ids = selected(ctx.page());
    if ids.contains(&id) {
        ids.retain(|known| *known != id);
    } else {
        ids.push(id);
    }
    select(&ids, ctx);
}

/// Selects these and no others.
pub(crate) fn select<A>(ids: &[u64], ctx: &mut Ctx<'_, A>) {
    ctx.save(VARIABLE, joined(ids));
}

/// Leaves the selection mode; false when nothing was selected.
pub(crate) fn clear<A>(ctx: &mut Ctx<'_, A>) -> bool {
    let any = !selected(ctx.page()).is_empty();
    select(&[], ctx);
    any
}

fn numbers(list: &str) -> Vec<u64> {
    list.split(',').filter_map(|number| number.parse().ok()).collect()
}

fn joined(ids: &[u64]) -> String {
    let texts: Vec<String> = ids.iter().map(u64::to_string).collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for ids in [&[][..], &[7], &[3, 1, 20]] {
            assert_eq!(numbers(&joined(ids)), ids);
        }
        assert_eq!(numbers("1,x,,2"), [1, 2]);
    }
}
