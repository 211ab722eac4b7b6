//! What a soak measured.

use serde::Serialize;

use super::SoakOptions;
use super::process::Samples;
use droidmux_lab::QueueMarks;
use droidmux_words::number::{real, whole};

/// `droidmux bench soak --json`: for the time after the warm-up.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "bench-soak"))]
pub struct Soaked {
    /// Simulated devices, each with a session on it.
    pub devices: u16,
    /// Of their answers, as `droidmux sim --latency` takes it.
    pub latency: String,
    /// From the first sample after the warm-up to the last.
    pub seconds: f64,
    /// Recorded by all sessions in that time.
    pub steps: u64,
    /// Of all devices together.
    pub steps_per_second: f64,
    /// Steps per second if the devices made commands wait all the time: a tool that costs nothing.
    pub limit: f64,
    /// `steps_per_second` of `limit`.
    pub share: f64,
    /// The tool's own milliseconds between two acts: median, 99th percentile, longest.
    pub own_ms: Percentiles,
    /// Milliseconds of processor time per step.
    pub cpu_ms: f64,
    /// Milliseconds of the simulator's processor time per step.
    pub simulator_cpu_ms: f64,
    /// Cores in use on average, including the simulator's.
    pub cores: f64,
    /// Megabytes resident at the end.
    pub memory_mb: f64,
    /// Kilobytes more resident with every 1,000 steps, over the second half.
    pub memory_growth_kb: f64,
    /// Megabytes of the store's folder at the end.
    pub disk_mb: f64,
    /// Kilobytes more in the folder with every 1,000 steps, over the second half.
    pub disk_growth_kb: f64,
    /// The most open files and sockets.
    pub descriptors: u64,
    /// The most writes that waited for the store at the same time.
    pub store_queue: u64,
    /// The most that waited in the lab's queues, from its beginning.
    pub queues: QueueMarks,
}

/// Of milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "percentiles"))]
pub struct Percentiles {
    pub p50: u64,
    pub p99: u64,
    pub most: u64,
}

impl Soaked {
    /// `None` when there are too few samples to say anything. `own` is ascending.
    pub(super) fn of(
        options: &SoakOptions,
        samples: &Samples,
        own: Vec<u64>,
        store_queue: u64,
        queues: QueueMarks,
    ) -> Option<Self> {
        let (first, last) = samples.ends()?;
        let seconds = real(last.at_ms.checked_sub(first.at_ms).filter(|ms| *ms > 0)?) / 1_000.0;
        let steps = last.steps.checked_sub(first.steps).filter(|steps| *steps > 0)?;
        let count = real(steps);
        let waited = last.waited.saturating_sub(first.waited).as_secs_f64();
        let share = waited / (seconds * f64::from(options.devices));
        let rate = count / seconds;
        let cpu = last.own.saturating_sub(first.own).as_secs_f64();
        let simulator = last.simulator.saturating_sub(first.simulator).as_secs_f64();
        let at = |share: f64| {
            let place = usize::try_from(whole((real(own.len()) * share).floor())).unwrap_or(usize::MAX);
            own.get(place).or(own.last()).copied().unwrap_or(0)
        };
        Some(Self {
            devices: options.devices,
            latency: options.latency.clone(),
            seconds,
            steps,
            steps_per_second: rate,
            limit: if share > 0.0 { rate / share } else { 0.0 },
            share,
            own_ms: Percentiles { p50: at(0.5), p99: at(0.99), most: at(1.0) },
            cpu_ms: cpu * 1_000.0 / count,
            simulator_cpu_ms: simulator * 1_000.0 / count,
            cores: (cpu + simulator) / seconds,
            memory_mb: real(last.memory) / 1e6,
            memory_growth_kb: samples.growth(|reading| reading.memory) / 1e3,
            disk_mb: real(last.disk) / 1e6,
            disk_growth_kb: samples.growth(|reading| reading.disk) / 1e3,
            descriptors: samples.most(|reading| reading.descriptors),
            store_queue,
            queues,
        })
    }
}

/// The table for people, in Markdown.
pub fn words(soaked: &Soaked) -> String {
    let (s, q) = (soaked, &soaked.queues);
    let rows = [
        ("steps", format!("{} in {:.0} s", s.steps, s.seconds)),
        ("steps a second", format!("{:.1}", s.steps_per_second)),
        ("limit of the latency", format!("{:.1} a second: {:.1} % reached", s.limit, s.share * 100.0)),
        (
            "own time between two acts",
            format!("median {} ms, p99 {} ms, longest {} ms", s.own_ms.p50, s.own_ms.p99, s.own_ms.most),
        ),
        (
            "processor time by step",
            format!("{:.2} ms, and {:.2} ms of the simulator", s.cpu_ms, s.simulator_cpu_ms),
        ),
        ("cores in use", format!("{:.2}", s.cores)),
        (
            "memory",
            format!("{:.0} MB at the end, {:+.1} kB with every 1,000 steps", s.memory_mb, s.memory_growth_kb),
        ),
        (
            "disk",
            format!("{:.0} MB at the end, {:+.0} kB with every 1,000 steps", s.disk_mb, s.disk_growth_kb),
        ),
        ("file descriptors at most", s.descriptors.to_string()),
        ("writes waiting for the store at most", s.store_queue.to_string()),
        (
            "waiting in a session at most",
            format!(
                "{} jobs for a device, {} reports of workers, {} judgements, {} judged jobs for the planner",
                q.planned, q.reports, q.judged, q.unabsorbed
            ),
        ),
        ("incidents waiting to be written at most", q.incidents.to_string()),
        ("waiting between lab and viewer at most", format!("{} requests, {} replies", q.requests, q.replies)),
    ];
    let mut text =
        format!("{} devices, latency {}:\n\n| what | measured |\n|---|---|\n", s.devices, s.latency);
    for (what, measured) in rows {
        text += &format!("| {what} | {measured} |\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::super::process::Reading;
    use super::*;

    #[test]
    fn the_json_keeps_to_its_schema() {
        let reading = |number: u32| Reading {
            at_ms: 1_000 * u64::from(number),
            steps: 40 * u64::from(number),
            waited: Duration::from_secs(2) * number,
            own: Duration::from_millis(300) * number,
            simulator: Duration::from_millis(500) * number,
            memory: 50_000_000,
            disk: 1_000 * u64::from(number),
            descriptors: 60,
        };
        let mut samples = Samples::default();
        (1..=5).for_each(|number| samples.push(reading(number)));
        let options = SoakOptions {
            devices: 4,
            duration: Duration::from_secs(4),
            latency: "dump=200".to_owned(),
            sessions: Vec::new(),
            program: "droidmux".into(),
            folder: "/tmp".into(),
            stop: Default::default(),
        };
        let soaked = json!(
            Soaked::of(&options, &samples, vec![1, 2, 9], 3, QueueMarks::default()).expect("enough samples")
        );
        assert_eq!(
            (&soaked["steps"], &soaked["share"], &soaked["own_ms"]["most"]),
            (&json!(160), &json!(0.5), &json!(9))
        );
        let mut schema: Value =
            serde_json::from_str(include_str!("../../../docs/commands.schema.json")).expect("a schema");
        schema["$ref"] = json!("#/$defs/bench-soak");
        jsonschema::validator_for(&schema).expect("a schema").validate(&soaked).expect("valid");
    }

    #[test]
    fn every_queue_is_told_in_words_and_in_json() {
        let queues = QueueMarks {
            planned: 11,
            reports: 12,
            judged: 13,
            unabsorbed: 14,
            incidents: 15,
            requests: 16,
            replies: 17,
        };
        let soaked = Soaked { store_queue: 18, queues, ..Soaked::default() };
        let (said, json) = (words(&soaked), serde_json::to_value(&soaked).expect("JSON"));
        let told = json["queues"].as_object().expect("an object");
        assert_eq!(told.len(), 7);
        for most in told.values().chain([&json["store_queue"]]) {
            let most = most.to_string();
            assert!(said.split(|c: char| !c.is_ascii_digit()).any(|number| number == most), "{most}: {said}");
        }
    }
}
