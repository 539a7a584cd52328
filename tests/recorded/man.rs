//! `docs/man`: the manual pages, generated from the command line's own help.

use clap::{Command, CommandFactory};
use kubectl_unstick::cli::Cli;
use std::collections::BTreeMap;
use std::path::Path;

/// Each page by file name.
fn pages() -> BTreeMap<String, String> {
    let root = Cli::command();
    // Flags for every command are only on the first page.
    let of = |command: &Command| {
        let name: &str = format!("kubectl-unstick-{}", command.get_name()).leak();
        let bin_name = format!("kubectl unstick {}", command.get_name());
        command.clone().name(name).bin_name(bin_name)
    };
    let commands: Vec<Command> = root.get_subcommands().map(of).chain([root.clone()]).collect();
    let page = |command: Command| {
        let file = format!("{}.1", command.get_name());
        let mut text = Vec::new();
        let source = concat!("kubectl-unstick ", env!("CARGO_PKG_VERSION"));
        // No date: a page changes only with its content.
        clap_mangen::Man::new(command).manual("kubectl unstick").source(source).render(&mut text).expect("a page");
        (file, with_examples(&String::from_utf8(text).expect("text")))
    };
    commands.into_iter().map(page).collect()
}

/// Turns the text after the help into its own sections, line by line.
fn with_examples(page: &str) -> String {
    let page = page.replacen(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n", 1);
    let page = page.replacen("Exit codes:\n", ".fi\n.SH EXIT STATUS\n.nf\n", 1);
    match page.split_once(".SH VERSION\n") {
        Some((before, version)) => format!("{before}.fi\n.SH VERSION\n{version}"),
        None => page + ".fi\n.SH SEE ALSO\nkubectl\\-unstick(1), for the flags that every command takes\n",
    }
}

#[test]
fn manual_pages_say_what_help_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man");
    let pages = pages();
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder");
        for (file, text) in &pages {
            std::fs::write(folder.join(file), text).expect("a page");
        }
    }
    for (file, text) in &pages {
        let kept = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        assert!(kept == *text, "docs/man/{file} is old: UNSTICK_RECORD=1 cargo test --test recorded manual_pages");
    }
    let kept = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(kept, pages.len(), "a page of docs/man is of no command");
}
