//! Ctrl-C: work that only reads is dropped at once; a write is waited for, so
//! that the journal tells what became of it.

use crate::failure::Failure;

/// Does `work` unless Ctrl-C comes first.
///
/// # Errors
/// What `work` gives, or that it was interrupted.
pub async fn unless<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::select! {
        result = work => result,
        () = pressed() => Err(Failure::interrupted("interrupted; nothing was changed")),
    }
}

/// Waits for Ctrl-C or a request to terminate.
pub async fn pressed() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
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
