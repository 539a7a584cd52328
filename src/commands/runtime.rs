//! The threads for requests.

use super::interrupt;
use crate::failure::Failure;

/// Runs the work on a few threads until it is done or Ctrl-C is pressed.
///
/// # Errors
/// The errors of the work.
pub fn in_runtime<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let several = || tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    let one = || tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = if has_room() { several() } else { one() };
    let runtime = runtime.map_err(|error| Failure::unknown(format!("cannot start threads: {error}")))?;
    let result = runtime.block_on(async {
        interrupt::listen();
        work.await
    });
    // A prompt may still be waiting for a key on its thread.
    runtime.shutdown_background();
    result
}

/// Whether the address space is large enough for several threads. Each thread's heap reserves 64
/// MiB of it, however little it uses (glibc: `malloc/arena.c`), and it may be limited.
fn has_room() -> bool {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{Resource, getrlimit};
        getrlimit(Resource::RLIMIT_AS).map_or(true, |(limit, _)| limit >= 1 << 30)
    }
    #[cfg(not(target_os = "linux"))]
    true
}
