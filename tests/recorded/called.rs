//! The program calls itself as the file that was started, which krew links under the name of a manifest.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// What the program says if its file has this path.
fn told(file: &str, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick"));
    let output = command.arg0(file).args(words.split(' ')).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn help_hints_and_completion_have_the_name_of_the_file() {
    for words in [
        "--help", "-h", "options", "demo", "demo -o html", "explain nonsense", "explain acme.io/x", "scan ns shop",
        "ns shop -o prometheus", "completion --help", "completion kubectl", "completion bash", "completion zsh",
        "completion fish", "completion powershell",
    ] {
        let text = told("/home/ann/.krew/bin/kubectl-why_terminating", words);
        assert!(
            text.contains("kubectl why-terminating") || text.contains("kubectl-why_terminating"),
            "{words}: {text}"
        );
        assert!(!text.contains("kubectl unstick") && !text.contains("kubectl-unstick"), "{words}: {text}");
    }
    let page = told("kubectl-why_terminating", "completion --help");
    // Not wrapped, so that it can be pasted.
    let script = "completion kubectl \\\n    > ~/.local/bin/kubectl_complete-why_terminating\n";
    assert!(page.contains(script), "{page}");
}

#[test]
fn a_file_that_is_no_plugin_has_the_name_of_the_release() {
    for file in ["/tmp/unstick", "kubectl-unstick-v0.1.0", ""] {
        assert_eq!(told(file, "-h"), told("kubectl-unstick", "-h"), "{file:?}");
    }
}
