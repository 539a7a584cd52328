//! `explain -o argocd`: what the catalogue knows, as health scripts for Argo CD, which runs them on objects that are
//! being deleted, too (argoproj/argo-cd: pull request 27596).

use crate::knowledge::catalogue::{self, CatalogueEntry, Matching};
use crate::knowledge::groups;
use crate::plugin::COMMAND;
use crate::screen::Shown;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The beginning of the file.
const HEAD: &str = "\
# Health scripts for Argo CD from the catalogue of {COMMAND}: for an object that is being deleted, each says which
# finalizers are left, who releases them, and what happens before. A script sees the object alone: why its controller
# has not done that yet, `{COMMAND} TYPE NAME` says. Of a living object it says nothing.
#
# Add the keys that you need to the data of the ConfigMap argocd-cm. A script replaces the one that Argo CD brings for
# this kind: where it brings one, put these lines above it instead, without their last one. The scripts need no
# libraries of Lua.
apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
  namespace: argocd
  labels:
    app.kubernetes.io/name: argocd-cm
    app.kubernetes.io/part-of: argocd
data:
";

/// The scripts of all kinds whose API group is known, as a `ConfigMap`.
pub fn argocd() -> Shown {
    let mut kinds: BTreeMap<String, Vec<&CatalogueEntry>> = BTreeMap::new();
    for entry in catalogue::entries() {
        for key in entry.kinds.iter().flat_map(|words| keys(words)) {
            kinds.entry(key).or_default().push(entry);
        }
    }
    let mut text = HEAD.replace("{COMMAND}", &COMMAND);
    for (key, entries) in kinds {
        let _ = writeln!(text, "  resource.customizations.health.{key}: |");
        for line in script(&entries).lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    Shown::finished(text)
}

/// The keys of a kind that the catalogue names, alone or with its group in brackets: `GROUP_KIND`, or `KIND` for the
/// core group. None for other words, and for a kind whose group is not known.
fn keys(words: &str) -> Vec<String> {
    let (kind, group) = words.split_once(" (").map_or((words, None), |(kind, rest)| (kind, rest.strip_suffix(')')));
    let is_group = |group: &&str| group.contains('.') && !group.contains(' ');
    let groups = match group {
        None => groups::of(kind),
        Some(group) => Some(group).filter(is_group).into_iter().collect(),
    };
    let key = |group: &str| if group.is_empty() { kind.to_owned() } else { format!("{group}_{kind}") };
    groups.into_iter().map(key).collect()
}

/// The script about a kind with these entries.
fn script(entries: &[&CatalogueEntry]) -> String {
    let (exact, families): (Vec<&CatalogueEntry>, Vec<&CatalogueEntry>) =
        entries.iter().partition(|entry| entry.matching == Matching::Exact);
    let known: Vec<String> =
        exact.iter().map(|entry| format!("    [{}] = {},\n", quoted(entry.key), quoted(&releases(entry)))).collect();
    let known = known.concat();
    // Without a library, Lua compares whole strings only.
    let begins = |entry: &&CatalogueEntry| format!("if it is {}…: {}", entry.key, releases(entry));
    let perhaps: Vec<String> = families.iter().map(begins).collect();
    let other = if perhaps.is_empty() { "not in the catalogue".to_owned() } else { perhaps.join("; ") };
    format!(
        "if obj.metadata.deletionTimestamp ~= nil then\n  local known = {{\n{known}  }}\n  \
         local message = \"Pending deletion\"\n  \
         for _, finalizer in ipairs(obj.metadata.finalizers or {{}}) do\n    \
         message = message .. \"; waits for finalizer \" .. finalizer .. \": \" .. (known[finalizer] or {})\n  end\n  \
         return {{status = \"Progressing\", message = message}}\nend\nreturn nil\n",
        quoted(&other)
    )
}

/// Who releases a finalizer, and what happens before.
fn releases(entry: &CatalogueEntry) -> String {
    format!("released by {} ({}); guards: {}", entry.controller, entry.product, entry.guards)
}

/// A string of Lua, which may contain any character but a line break.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_key_that_a_configmap_takes() {
        assert_eq!(keys("Service"), ["Service"]);
        assert_eq!(keys("Job"), ["batch_Job"]);
        assert_eq!(keys("IPAddress (ipam.cluster.x-k8s.io)"), ["ipam.cluster.x-k8s.io_IPAddress"]);
        assert!(keys("others with a finalizing controller").is_empty() && keys("NobodyKnows").is_empty());
        let all = argocd();
        let keys = all.lines().filter_map(|line| line.strip_prefix("  resource.customizations.health."));
        let keys: Vec<&str> = keys.filter_map(|rest| rest.strip_suffix(": |")).collect();
        let fits = |key: &&str| key.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
        assert!(keys.len() > 300 && keys.iter().all(fits), "{}", keys.len());
    }

    #[test]
    fn a_text_stays_a_string_of_lua() {
        assert_eq!(quoted("a \"b\" \\ c\nd"), "\"a \\\"b\\\" \\\\ c d\"");
    }
}
