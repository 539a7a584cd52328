//! Compiles the catalogue of finalizers: what is wrong with it fails the build, and the
//! program starts without reading it. Also derives from the package's name what the plugin
//! is called.

#[path = "src/knowledge/compile.rs"]
mod compile;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed={}", compile::FILE);
    name_plugin(env!("CARGO_PKG_NAME"));
    if let Err(fault) = write_tables() {
        println!("cargo::error={fault}");
    }
}

/// kubectl takes a dash in the name of a plugin's file for a blank, and an underscore for a dash.
fn name_plugin(package: &str) {
    let command = package.replace('-', " ").replace('_', "-");
    match command.strip_prefix("kubectl ") {
        Some(name) => println!("cargo::rustc-env=PLUGIN_NAME={name}"),
        None => println!("cargo::error=the package is called {package}: kubectl finds only what begins with kubectl-"),
    }
    println!("cargo::rustc-env=PLUGIN_COMMAND={command}");
}

#[expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]
fn write_tables() -> Result<(), String> {
    let folder = std::env::var_os("OUT_DIR").ok_or("Cargo did not set OUT_DIR; run `cargo build`")?;
    let yaml = std::fs::read_to_string(compile::FILE).map_err(|error| format!("{}: {error}", compile::FILE))?;
    let tables = Path::new(&folder).join("finalizers.rs");
    std::fs::write(&tables, compile::tables(&yaml)?).map_err(|error| format!("{}: {error}", tables.display()))
}
