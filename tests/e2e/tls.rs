//! A server's end of TLS, with the certificate of the control plane's server.

use crate::support::control_plane::ControlPlane;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;

/// A connection.
pub type Stream = StreamOwned<ServerConnection, TcpStream>;

pub fn config(plane: &ControlPlane) -> Arc<ServerConfig> {
    let certs = plane.dir().join("certs");
    let chain = CertificateDer::pem_file_iter(certs.join("server.crt")).expect("a certificate");
    let chain = chain.map(|certificate| certificate.expect("a certificate")).collect();
    let key = PrivateKeyDer::from_pem_file(certs.join("server.key")).expect("a key");
    let builder = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
    Arc::new(builder.with_single_cert(chain, key).expect("a pair"))
}

pub fn stream(config: &Arc<ServerConfig>, client: TcpStream) -> Stream {
    StreamOwned::new(ServerConnection::new(Arc::clone(config)).expect("TLS"), client)
}

/// Ends a connection in order.
pub fn close(mut stream: Stream) {
    stream.conn.send_close_notify();
    stream.flush().ok();
}
