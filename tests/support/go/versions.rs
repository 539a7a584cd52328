//! The pinned versions of Kubernetes: one `versions/VERSION.mod` with its `.sum` each. A module
//! proxy has different ones from week to week.

use super::build::{self, Module, NotBuilt};
use super::tell;
use std::fs;

/// A pinned version, and the folder below `tests/` that uses it.
pub struct Release {
    pub folder: &'static str,
    pub version: String,
}

impl Release {
    /// All versions pinned in a folder, the newest first.
    pub fn all(folder: &'static str) -> Result<Vec<Self>, String> {
        let path = build::sources(folder).join("versions");
        let entries = fs::read_dir(&path).map_err(build::cannot("read", &path))?;
        let files = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
        let mut versions: Vec<String> = files.filter_map(|file| Some(file.strip_suffix(".mod")?.into())).collect();
        versions.sort_by_key(|version| std::cmp::Reverse(numbers(version)));
        Ok(versions.into_iter().map(|version| Self { folder, version }).collect())
    }

    fn module(&self) -> Module {
        Module::kubernetes(self.folder, &self.version)
    }
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').filter_map(|number| number.parse().ok()).collect()
}

/// The newest of these that is already built, otherwise the newest whose modules can be downloaded,
/// after building it; with its version. Failures are printed.
pub fn first_to_be_had(releases: &[Release]) -> Result<(Module, String), String> {
    let folder = releases.first().map(|release| release.folder).ok_or("no version of Kubernetes is pinned")?;
    let _lock = build::lock(folder, "the control plane")?;
    for release in releases {
        if release.module().is_current()? {
            return Ok((release.module(), release.version.clone()));
        }
    }
    let built = first(releases, |release| release.module().build(), tell)?;
    Ok((built.module(), built.version.clone()))
}

/// The first release that can be built. Failures are printed.
fn first(
    releases: &[Release],
    build: impl Fn(&Release) -> Result<(), NotBuilt>,
    mut tell: impl FnMut(&str),
) -> Result<&Release, String> {
    let mut refused = Vec::new();
    for (place, release) in releases.iter().enumerate() {
        match build(release) {
            Ok(()) => return Ok(release),
            Err(NotBuilt::Failed(why)) => return Err(why),
            Err(NotBuilt::Refused(refusal)) => {
                let next = releases.get(place + 1).map(|next| format!("; {} is tried instead", next.version));
                tell(&format!("Kubernetes {} cannot be had: {refusal}{}", release.version, next.unwrap_or_default()));
                refused.push(release.version.as_str());
            }
        }
    }
    Err(format!(
        "no control plane can be built: the module proxy refuses Kubernetes {}; set GOPROXY to another proxy, or CONTROL_PLANE to a program that was built before",
        refused.join(" and ")
    ))
}

#[cfg(test)]
mod tests {
    use super::super::download::Refusal;
    use super::*;

    fn releases() -> Vec<Release> {
        ["1.36.1", "1.35.4"].map(|version| Release { folder: "control-plane", version: version.into() }).into()
    }

    fn refused(release: &Release) -> Result<(), NotBuilt> {
        Err(NotBuilt::Refused(Refusal::of(
            "proxy.test",
            &format!("k8s.io/kubernetes v{}", release.version),
            "403 Forbidden",
        )))
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert!(numbers("1.36.10") > numbers("1.36.9"));
        assert!(numbers("1.36.1") > numbers("1.35.14"));
        let pinned = Release::all("control-plane").expect("pinned versions");
        assert!(pinned.windows(2).all(|pair| numbers(&pair[0].version) > numbers(&pair[1].version)));
    }

    #[test]
    fn refused_versions_are_skipped() {
        let newest_refused = |release: &Release| if release.version == "1.36.1" { refused(release) } else { Ok(()) };
        let mut told = Vec::new();
        let releases = releases();
        let built = first(&releases, newest_refused, |line| told.push(line.to_owned()));
        assert_eq!(built.map(|release| release.version.as_str()), Ok("1.35.4"));
        let line = "Kubernetes 1.36.1 cannot be had: proxy.test refuses k8s.io/kubernetes v1.36.1 (403 Forbidden); \
                    1.35.4 is tried instead";
        assert_eq!(told, [line]);
    }

    #[test]
    fn a_failure_ends_the_search() {
        let fails = |_: &Release| Err(NotBuilt::Failed("the disk is full".into()));
        assert_eq!(first(&releases(), fails, |_| {}).map(|_| ()), Err("the disk is full".into()));
    }

    #[test]
    fn after_all_refusals_the_error_names_versions_and_ways_out() {
        let why = first(&releases(), refused, |_| {}).map(|_| ()).expect_err("none can be had");
        for part in ["1.36.1 and 1.35.4", "GOPROXY", "CONTROL_PLANE"] {
            assert!(why.contains(part), "{why}");
        }
    }
}
