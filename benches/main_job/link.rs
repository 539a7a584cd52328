//! A slow link: a way to the API server on which every byte is delayed.

use crate::support::control_plane::ControlPlane;
use std::process::Command;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// Ends with the value.
pub struct Link {
    _runtime: Runtime,
    kubeconfig: std::path::PathBuf,
}

impl Link {
    /// Starts a link with this round-trip time. Connecting takes no time on it.
    pub fn start(plane: &ControlPlane, round_trip: Duration) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a thread");
        let config = std::fs::read_to_string(plane.kubeconfig()).expect("a kubeconfig");
        let server = config.split("https://").nth(1).and_then(|rest| rest.split_whitespace().next());
        let server = server.expect("the server's address").to_owned();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let kubeconfig = plane.dir().join(format!("slow-{}.kubeconfig", round_trip.as_millis()));
        std::fs::write(&kubeconfig, config.replace(&server, &address)).expect("a kubeconfig is written");
        runtime.spawn(accept(listener, server, round_trip / 2));
        Self { _runtime: runtime, kubeconfig }
    }

    /// The same command over this link.
    pub fn through(&self, mut command: Command) -> Command {
        command.env("KUBECONFIG", &self.kubeconfig);
        command
    }
}

async fn accept(listener: TcpListener, server: String, delay: Duration) {
    while let Ok((client, _)) = listener.accept().await {
        let Ok(server) = TcpStream::connect(&server).await else { continue };
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::spawn(carry(from_client, to_server, delay));
        tokio::spawn(carry(from_server, to_client, delay));
    }
}

/// Passes everything on in order, each piece later by the same time.
async fn carry(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin + Send + 'static, delay: Duration) {
    let (sender, mut on_the_way) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        while let Some((due, piece)) = on_the_way.recv().await {
            sleep_until(due).await;
            if to.write_all(&piece).await.is_err() {
                return;
            }
        }
        // The end of the connection is delayed as well.
        let _ = to.shutdown().await;
    });
    let mut buffer = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        if sender.send((Instant::now() + delay, buffer[..count].to_vec())).is_err() {
            return;
        }
    }
}
