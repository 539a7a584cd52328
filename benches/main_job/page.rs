//! `docs/performance.md`.

use crate::figure::{seconds, table};
use crate::phases::Bench;
use crate::plot::svg;
use std::fmt::Write as _;
use std::path::Path;

/// Writes the page and its picture.
pub fn write(bench: &Bench) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::fs::write(docs.join("performance.svg"), svg(&bench.series)).expect("the picture is written");
    let mut text = format!(
        "# Performance\n\nMade by `cargo bench` with `UNSTICK_RECORD=1`, on {}, with the API server and etcd on the\n\
         same machine. The bounds are ratios to another command in the same run wherever there is one. The\n\
         raw client makes the same lists and throws the answers away; that of the same requests knows all of\n\
         them beforehand. At a delay, every byte takes half of it each way.\n\n{}\n\
         ![Time and memory against objects and targets](performance.svg)\n",
        machine(),
        table(&bench.figures)
    );
    for series in &bench.series {
        write!(text, "\n| {} | `{}` | memory |\n|---|---|---|\n", series.of, series.what).expect("a text takes it");
        for point in &series.points {
            writeln!(text, "| {} | {} | {} MiB |", point.count, seconds(point.took), point.kib.div_ceil(1024))
                .expect("a text takes it");
        }
    }
    std::fs::write(docs.join("performance.md"), text).expect("the page is written");
}

/// The number and the model of the processors.
fn machine() -> String {
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| format!("{count} processors"), |(_, model)| format!("{count} processors ({model})"))
}
