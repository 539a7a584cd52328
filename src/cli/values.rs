//! The values that flags and commands take.

use crate::report::Risk;
use crate::survey::Cascade;
use clap::ValueEnum;

/// `--approve`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MaxRisk {
    /// Steps that lose nothing.
    Harmless,
    /// Also steps that make something stop working for a while.
    Disruptive,
    /// Also steps that leave something behind outside the cluster.
    Leaks,
    /// Also steps that may lose data.
    LosesData,
}

impl From<MaxRisk> for Risk {
    fn from(approval: MaxRisk) -> Self {
        match approval {
            MaxRisk::Harmless => Self::Harmless,
            MaxRisk::Disruptive => Self::Disruptive,
            MaxRisk::Leaks => Self::Leaks,
            MaxRisk::LosesData => Self::LosesData,
        }
    }
}

/// `--cascade`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Cascading {
    /// The garbage collector deletes the dependents afterwards.
    Background,
    /// The dependents are deleted first.
    Foreground,
    /// The dependents stay.
    Orphan,
}

impl From<Cascading> for Cascade {
    fn from(how: Cascading) -> Self {
        match how {
            Cascading::Background => Self::Background,
            Cascading::Foreground => Self::Foreground,
            Cascading::Orphan => Self::Orphan,
        }
    }
}

/// `--dry-run`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DryRun {
    /// Carry out the steps.
    None,
    /// Only show the steps.
    Client,
    /// Send steps as dry runs: show the server's answer and change nothing.
    Server,
}

/// `--color`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `completion`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// For this program by its own name, in bash.
    Bash,
    /// For this program by its own name, in zsh.
    Zsh,
    /// For this program by its own name, in fish.
    Fish,
    /// For this program by its own name, in PowerShell.
    Powershell,
    /// For kubectl: the script that its own completion runs.
    Kubectl,
}
