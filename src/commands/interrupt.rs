//! Handles Ctrl-C, SIGTERM, and SIGHUP during dialogs, with one listener for the whole run. Work
//! that only reads is dropped at once. A write that has begun is awaited, so that the journal
//! records its outcome.

use crate::failure::Failure;
#[cfg(unix)]
use std::sync::Once;
use std::sync::OnceLock;
use tokio::sync::watch;

static PRESSED: OnceLock<watch::Sender<bool>> = OnceLock::new();

/// Starts to listen. Before that, Ctrl-C simply ends the program.
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

/// From the first dialog on, also handles a hang-up, which would otherwise end the program with the
/// terminal in raw mode. It is not handled earlier: under nohup, where there are no dialogs, the
/// program must survive it.
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

/// There are no hang-ups on this platform.
#[cfg(not(unix))]
pub fn heed_hang_ups() {}

/// Whether Ctrl-C was pressed.
pub fn is_pressed() -> bool {
    PRESSED.get().is_some_and(|pressed| *pressed.borrow())
}

/// Refuses to begin another step if Ctrl-C was pressed.
///
/// # Errors
/// When it was.
pub fn heed() -> Result<(), Failure> {
    if is_pressed() { Err(Failure::interrupted("interrupted")) } else { Ok(()) }
}

/// Waits until Ctrl-C is pressed. Returns at once if it already was.
pub async fn pressed() {
    match PRESSED.get() {
        Some(pressed) => drop(pressed.subscribe().wait_for(|pressed| *pressed).await),
        None => std::future::pending().await,
    }
}

/// Runs `work` until it ends or Ctrl-C is pressed.
///
/// # Errors
/// The errors of `work`, or that it was interrupted.
pub async fn unless<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::select! {
        result = work => result,
        () = pressed() => Err(Failure::interrupted("interrupted")),
    }
}

/// Waits for `work`, which cannot fail, until it ends or Ctrl-C is pressed.
///
/// # Errors
/// When it was interrupted.
pub async fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    unless(async { Ok(work.await) }).await
}

async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Exceeding the limit on file sizes must be a write error instead of a fatal signal: it is
        // reported by the journal, and nothing is written to the cluster.
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
