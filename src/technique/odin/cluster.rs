//! Clustering behaviours by what they do, looking at ever less of them (Odin).

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use super::abstraction::Lens;
use super::anomaly::Measure;
use super::script::{Operation, Sight, fingerprint, script};
use crate::OdinSettings;
use droidmux_gui::Layout;
use droidmux_record::{Abstraction, Fingerprint, FrontLayout, IgnoreRule, Layouts};

/// The layouts before and after a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// l, on which the event was done.
    pub before: FrontLayout,
    /// l', what it led to.
    pub after: FrontLayout,
}

/// The result of clustering.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// The abstractions applied, in that order.
    pub rules: Vec<Abstraction>,
    /// Largest first, ties by representative.
    pub clusters: Vec<Cluster>,
    /// By the sizes of these clusters; `None` when nothing was abstracted, as with one cluster only.
    pub measure: Option<Measure>,
    /// Behaviours whose layouts are unavailable.
    pub lost: u32,
}

/// Behaviours that do the same, as far as the abstractions applied tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Behaviours in it.
    pub size: u32,
    /// The lowest pair by content hash.
    pub representative: Pair,
    /// The positions of its behaviours in the given list, ascending.
    pub members: Vec<usize>,
}

/// What behaviours are weighed with: settings and layouts.
#[derive(Clone, Copy)]
pub struct Scales<'a> {
    /// The abstractions to choose from, and what counts as an anomaly.
    pub settings: &'a OdinSettings,
    /// Widgets that are left out of every layout, with all below them.
    pub ignored: &'a [IgnoreRule],
    /// Where the layouts of the pairs are looked up.
    pub layouts: &'a dyn Layouts,
}

/// With fewer pairs than this, starting threads is not worth the cost.
const FEW: usize = 256;

impl Clustering {
    /// The clusters whose size is anomalous, if there are any.
    pub fn anomalies(&self) -> impl Iterator<Item = &Cluster> {
        let is_anomalous = |cluster: &&Cluster| self.measure.is_some_and(|m| m.is_anomalous(cluster.size));
        self.clusters.iter().filter(is_anomalous)
    }
}

impl Scales<'_> {
    /// Clusters behaviours.
    ///
    /// At first every different pair is a cluster. In each round the unused abstraction that
    /// merges least is added to those used, and clusters whose representatives then do the same
    /// are merged: one edit script for each cluster and abstraction, no comparison of clusters
    /// with each other. It ends when an anomaly is found, when one cluster is left, or when there
    /// is no abstraction left.
    pub fn cluster(&self, pairs: &[Pair]) -> Clustering {
        let mut found = Clustering { rules: Vec::new(), clusters: different(pairs), measure: None, lost: 0 };
        let mut unused: Vec<Abstraction> =
            Abstraction::ALL.into_iter().filter(|rule| self.settings.rules.contains(rule)).collect();
        let mut used = 0;
        while !unused.is_empty() && found.clusters.len() > 1 {
            let rule_sets: Vec<u8> = unused.iter().map(|rule| used | rule.bit()).collect();
            let prints = self.fingerprints(&found.clusters, &rule_sets);
            found.drop_lost(&prints);
            let prints: Vec<Vec<Fingerprint>> = prints.into_iter().flatten().collect();
            let different = |n: usize| {
                let mut of_rule: Vec<Fingerprint> = prints.iter().map(|prints| prints[n]).collect();
                of_rule.sort_unstable();
                of_rule.dedup();
                of_rule.len()
            };
            // The most clusters left; on a tie, the first.
            let Some(chosen) = (0..unused.len()).max_by_key(|&n| (different(n), std::cmp::Reverse(n))) else {
                break;
            };
            found.merge(prints.iter().map(|prints| prints[chosen]));
            let rule = unused.remove(chosen);
            used |= rule.bit();
            found.rules.push(rule);
            let sizes: Vec<u32> = found.clusters.iter().map(|cluster| cluster.size).collect();
            found.measure = Measure::of(&sizes, self.settings);
            if found.anomalies().next().is_some() {
                break;
            }
        }
        found
    }

    /// The edit script of a pair; `None` when its layouts are unavailable, `Some(None)` when the
    /// app was left.
    pub fn script(&self, pair: &Pair, rules: u8) -> Option<Option<Vec<Operation>>> {
        let (before, after) = self.layouts_of(pair)?;
        let lens = Lens { rules, ignored: self.ignored };
        let before = Sight { layout: &before, view: &pair.before };
        Some(script(before, Sight { layout: &after, view: &pair.after }, lens))
    }

    /// The hash of [`script`](Self::script) under these abstractions; `None` when the layouts are unavailable.
    pub fn fingerprint(&self, pair: &Pair, rules: u8) -> Option<Fingerprint> {
        self.script(pair, rules).map(|script| fingerprint(script.as_deref()))
    }

    fn layouts_of(&self, pair: &Pair) -> Option<(Arc<Layout>, Arc<Layout>)> {
        let before = self.layouts.layout(pair.before.layout)?;
        let after = if pair.after.layout == pair.before.layout {
            before.clone()
        } else {
            self.layouts.layout(pair.after.layout)?
        };
        Some((before, after))
    }

    /// For each cluster's representative, its fingerprint under each set of rules; `None` if a
    /// layout is lost. Many clusters are spread over the processors.
    fn fingerprints(&self, clusters: &[Cluster], rule_sets: &[u8]) -> Vec<Option<Vec<Fingerprint>>> {
        let of = |cluster: &Cluster| self.prints_of(&cluster.representative, rule_sets);
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(clusters.len() / FEW + 1);
        if threads == 1 {
            return clusters.iter().map(of).collect();
        }
        let mut prints = vec![None; clusters.len()];
        let share = clusters.len().div_ceil(threads);
        thread::scope(|scope| {
            for (clusters, prints) in clusters.chunks(share).zip(prints.chunks_mut(share)) {
                scope.spawn(move || {
                    clusters.iter().zip(prints).for_each(|(cluster, print)| *print = of(cluster));
                });
            }
        });
        prints
    }

    fn prints_of(&self, pair: &Pair, rule_sets: &[u8]) -> Option<Vec<Fingerprint>> {
        let (before, after) = self.layouts_of(pair)?;
        let prints = rule_sets.iter().map(|&rules| {
            let lens = Lens { rules, ignored: self.ignored };
            let before = Sight { layout: &before, view: &pair.before };
            fingerprint(script(before, Sight { layout: &after, view: &pair.after }, lens).as_deref())
        });
        Some(prints.collect())
    }
}

impl Clustering {
    fn drop_lost<T>(&mut self, prints: &[Option<T>]) {
        let mut prints = prints.iter();
        self.clusters.retain(|cluster| {
            let kept = prints.next().is_some_and(Option::is_some);
            self.lost += if kept { 0 } else { cluster.size };
            kept
        });
    }

    /// Merges clusters with equal fingerprints.
    fn merge(&mut self, prints: impl Iterator<Item = Fingerprint>) {
        let mut merged: BTreeMap<Fingerprint, Cluster> = BTreeMap::new();
        for (cluster, print) in std::mem::take(&mut self.clusters).into_iter().zip(prints) {
            match merged.entry(print) {
                std::collections::btree_map::Entry::Vacant(place) => _ = place.insert(cluster),
                std::collections::btree_map::Entry::Occupied(mut known) => known.get_mut().add(cluster),
            }
        }
        self.clusters = merged.into_values().collect();
        self.clusters.iter_mut().for_each(|cluster| cluster.members.sort_unstable());
        sort(&mut self.clusters);
    }
}

impl Cluster {
    fn add(&mut self, other: Cluster) {
        self.size += other.size;
        self.members.extend(other.members);
        if other.representative < self.representative {
            self.representative = other.representative;
        }
    }
}

/// Equal pairs as one cluster: whatever is looked at, they do the same.
fn different(pairs: &[Pair]) -> Vec<Cluster> {
    let mut members: BTreeMap<&Pair, Vec<usize>> = BTreeMap::new();
    for (n, pair) in pairs.iter().enumerate() {
        members.entry(pair).or_default().push(n);
    }
    let cluster = |(pair, members): (&Pair, Vec<usize>)| Cluster {
        size: u32::try_from(members.len()).unwrap_or(u32::MAX),
        representative: pair.clone(),
        members,
    };
    let mut clusters: Vec<Cluster> = members.into_iter().map(cluster).collect();
    sort(&mut clusters);
    clusters
}

fn sort(clusters: &mut [Cluster]) {
    clusters.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.representative.cmp(&b.representative)));
}
