//! Installers and their products: a file for each installer, with the marks that it leaves on the
//! objects it creates and the inventory in its own objects. Nothing is read from Secrets.

mod argocd;
mod carvel;
mod crossplane;
mod find;
mod fleet;
mod flux;
mod helm;
mod installer;
mod instance;
mod inventory;
mod kapp;
mod led;
mod made;
mod membership;
mod olm;
mod olm_v1;
mod proof;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use find::{Installed, Rows, all, near};
pub(crate) use helm::keeps as helm_keeps;
pub(crate) use installer::Role;
pub(crate) use made::{Apart, Made, made};
pub(crate) use table::{is_installers_own, is_word};
