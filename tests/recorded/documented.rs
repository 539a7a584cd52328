//! The commands in the documentation: each is one that the program takes.

use clap::Parser;
use kubectl_unstick::cli::Cli;
use std::path::Path;

/// What stands for a value in examples.
const VALUES: [(&str, &str); 3] = [("\"$NAMESPACE\"", "shop"), ("\"$digest\"", "sha256:0"), ("[RUN]", "last")];

/// The commands of this program in a page's blocks, each as its words.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let blocks =
        page.split("\n```").skip(1).step_by(2).filter(|block| block.starts_with("sh\n") || block.starts_with("yaml\n"));
    for line in blocks.flat_map(str::lines) {
        let Some((_, command)) = line.split_once("kubectl unstick") else { continue };
        let command = command.split(['#', '|', '>', ')', ';', '\'']).next().unwrap_or_default();
        let command = VALUES.iter().fold(command.to_owned(), |text, (name, value)| text.replace(name, value));
        let words = command.split_whitespace().map(str::to_owned);
        commands.push(std::iter::once("kubectl-unstick".to_owned()).chain(words).collect());
    }
    commands
}

#[test]
fn every_command_in_the_documentation_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).expect("docs").map(|entry| entry.expect("a file").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|suffix| suffix == "md"));
    let mut found = 0;
    for path in pages.chain([root.join("README.md")]) {
        for words in commands(&std::fs::read_to_string(&path).expect("a page")) {
            found += 1;
            // Help and version are told as errors that go to stdout.
            let error = Cli::try_parse_from(&words).err().filter(clap::Error::use_stderr);
            assert!(error.is_none(), "{}: {words:?}: {error:?}", path.display());
        }
    }
    assert!(found >= 20, "only {found} commands were found");
}

/// What a page links to beside it is there.
#[test]
fn every_link_in_the_documentation_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).expect("docs").map(|entry| entry.expect("a file").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|suffix| suffix == "md"));
    for path in pages.chain(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name))) {
        let page = std::fs::read_to_string(&path).expect("a page");
        for target in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.contains(' ') {
                continue;
            }
            let linked = path.parent().expect("a folder").join(file);
            assert!(linked.exists(), "{} links to {target}", path.display());
        }
    }
}
