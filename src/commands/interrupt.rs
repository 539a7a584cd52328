//! Ctrl-C, and the request to terminate: one listener for the whole run. Work that
//! only reads is dropped at once; a write that has begun is waited for, so that
//! the journal tells what became of it.

use crate::failure::Failure;
use std::sync::OnceLock;
use tokio::sync::watch;

static PRESSED: OnceLock<watch::Receiver<bool>> = OnceLock::new();

/// Starts to listen; before this nobody hears it and the program just ends.
pub fn listen() {
    PRESSED.get_or_init(|| {
        let (sender, receiver) = watch::channel(false);
        tokio::spawn(async move {
            signal().await;
            sender.send_replace(true);
            // Kept, so that waiting for it never fails.
            sender.closed().await;
        });
        receiver
    });
}

/// Whether it was pressed.
pub fn is_pressed() -> bool {
    PRESSED.get().is_some_and(|pressed| *pressed.borrow())
}

/// Waits until it is pressed, also when it was pressed before.
pub async fn pressed() {
    match PRESSED.get() {
        Some(pressed) => drop(pressed.clone().wait_for(|pressed| *pressed).await),
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
