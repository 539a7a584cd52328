//! In every format, hostile text takes the same lines as harmless text.

use crate::export::{dot, html, json, json_line, junit, markdown, mermaid, names, prometheus, yaml};
use crate::report::Report;
use crate::screen::Shown;
use crate::screen::hostile::{FORGED, harmless, is_clean, report_of};

#[test]
fn hostile_text_adds_no_line_in_any_format() {
    type Format = (&'static str, fn(&Report) -> Shown);
    let formats: [Format; 10] = [
        ("json", |report| json(report)),
        ("a line of json", |report| json_line(report)),
        ("yaml", |report| yaml(report)),
        ("name", names),
        ("markdown", markdown),
        ("junit", junit),
        ("prometheus", |report| prometheus(std::slice::from_ref(report), true)),
        ("mermaid", mermaid),
        ("dot", dot),
        ("html", html),
    ];
    for text in FORGED {
        let (hostile, harmless) = (report_of(text), report_of(&harmless(text)));
        for (name, format) in formats {
            let (hostile, harmless) = (format(&hostile), format(&harmless));
            is_clean(&hostile);
            assert_eq!(hostile.lines().count(), harmless.lines().count(), "{name}: {text:?}\n{hostile}\n{harmless}");
        }
    }
}
