//! In every format, hostile text takes the same lines as harmless text.

use crate::export::formats::Output;
use crate::export::json::json_line;
use crate::export::prometheus::prometheus;
use crate::report::Report;
use crate::screen::hostile::{FORGED, harmless, is_clean, report_of};
use crate::screen::{Look, Shown};

#[test]
fn hostile_text_adds_no_line_in_any_format() {
    type Format = (String, Box<dyn Fn(&Report) -> Shown>);
    let look = Look { width: 10_000, colour: false, all: true };
    // The screens have a test of their own, at many widths.
    let formats = Output::of_scans().filter(|format| !format.is_screen());
    let mut formats: Vec<Format> = formats
        .map(|format| (format!("{format:?}"), Box::new(move |report: &Report| format.report(report, look)) as _))
        .collect();
    formats.push(("a line of json".into(), Box::new(json_line)));
    formats.push(("contexts".into(), Box::new(|report| prometheus(std::slice::from_ref(report), true))));
    for text in FORGED {
        let (hostile, harmless) = (report_of(text), report_of(&harmless(text)));
        for (name, format) in &formats {
            let (hostile, harmless) = (format(&hostile), format(&harmless));
            is_clean(&hostile);
            assert_eq!(hostile.lines().count(), harmless.lines().count(), "{name}: {text:?}\n{hostile}\n{harmless}");
        }
    }
}
