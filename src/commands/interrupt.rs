//! Ctrl-C, the request to terminate, and a hang-up in a dialog: one listener for the whole
//! run. Work that only reads is dropped at once; a write that has begun is waited for, so
//! that the journal tells what became of it.

use crate::failure::Failure;
#[cfg(unix)]
use std::sync::Once;
use std::sync::OnceLock;
use tokio::sync::watch;

static PRESSED: OnceLock<watch::Sender<bool>> = OnceLock::new();

/// Starts to listen; before this nobody hears it and the program just ends.
pub fn listen() {
    if PRESSED.set(watch::Sender::new(false)).is_ok() {
        tokio::spawn(async {
            signal().await;
            press();
        });
    }
}

fn press() {
    if let Some(pressed) = PRESSED.get() {
        pressed.send_replace(true);
    }
}

/// A hang-up is one, too, from the first dialog on: the program would die of it and leave the
/// terminal reading key by key. It was not before, since under nohup, where there is no
/// dialog, the program goes on after it.
#[cfg(unix)]
pub fn heed_hang_ups() {
    use tokio::signal::unix::{SignalKind, signal};
    static HEEDED: Once = Once::new();
    HEEDED.call_once(|| {
        if let Ok(mut hang_up) = signal(SignalKind::hangup()) {
            tokio::spawn(async move {
                hang_up.recv().await;
                press();
            });
        }
    });
}

/// Nothing hangs up.
#[cfg(not(unix))]
pub fn heed_hang_ups() {}

/// Whether it was pressed.
pub fn is_pressed() -> bool {
    PRESSED.get().is_some_and(|pressed| *pressed.borrow())
}

/// Waits until it is pressed, also when it was pressed before.
pub async fn pressed() {
    match PRESSED.get() {
        Some(pressed) => drop(pressed.subscribe().wait_for(|pressed| *pressed).await),
        None => std::future::pending().await,
    }
}

/// Does `work` unless it is pressed first.
///
/// # Errors
/// What `work` gives, or that it was interrupted.
pub async fn unless<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::select! {
        result = work => result,
        () = pressed() => Err(Failure::interrupted("interrupted")),
    }
}

async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // A file that may not grow is an error of the write, and no reason to die of:
        // the journal says so, and nothing is written to the cluster.
        let _too_large = signal(SignalKind::from_raw(nix::libc::SIGXFSZ));
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    tokio::signal::ctrl_c().await.ok();
}
