//! The flags of `mcp`.

use clap::{Args, ValueHint};
use std::net::SocketAddr;
use std::path::PathBuf;

/// How agents reach the server.
#[derive(Debug, Clone, Default, Args)]
pub struct McpFlags {
    /// Serve on HTTP at this address and port.
    ///
    /// Such as 127.0.0.1:8765; port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// The file with the token that clients send.
    ///
    /// With --listen. By default a new token is created and printed to stderr.
    #[arg(long, value_name = "FILE", requires = "listen", value_hint = ValueHint::FilePath)]
    pub token_file: Option<PathBuf>,
    /// The host name of the proxy in front that terminates TLS.
    ///
    /// With --listen: the name by which clients reach the proxy. Required for any address except
    /// loopback.
    #[arg(long, value_name = "HOST", requires = "listen")]
    pub behind_tls: Option<String>,
}

/// An address and a port; `localhost` is 127.0.0.1.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numbers = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed = numbers.as_deref().unwrap_or(text).parse();
    parsed.map_err(|_| "write an address and a port, such as 127.0.0.1:8765".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_port() {
        assert_eq!(address("localhost:80"), address("127.0.0.1:80"));
        assert!(address("[::1]:0").is_ok());
        for wrong in ["8765", "localhost", "example.com:80", "127.0.0.1"] {
            assert!(address(wrong).unwrap_err().contains("such as 127.0.0.1:8765"), "{wrong}");
        }
    }
}
