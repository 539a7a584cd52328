//! Supports features of Go's TLS that rustls lacks, so that a kubeconfig that works with kubectl
//! works here: client certificates of X.509 version 1, which `MicroK8s` makes; a server's own
//! certificate among the authorities; and keys on the curve P-521.

mod p521;

use der::asn1::{GeneralizedTime, SequenceRef, UtcTime};
use der::{Reader, SliceReader, Tag};
use jiff::Timestamp;
use k8s_openapi::ByteString;
use kube::Config;
use kube::client::{ConfigExt, RustlsTlsError};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{ResolvesClientCert, WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use serde_json::Value;
use std::sync::Arc;

/// A client certificate, unparsed, since the server has to judge it. rustls refuses a certificate
/// that it cannot parse, such as version 1, before the server has seen it.
#[derive(Debug)]
struct ClientIdentity(Arc<CertifiedKey>);

impl ResolvesClientCert for ClientIdentity {
    fn resolve(&self, _: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.0.key.choose_scheme(schemes).map(|_| Arc::clone(&self.0))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Makes all TLS in this process use the same cryptography, including kube's own client.
pub(crate) fn install() {
    // An earlier connection may have installed it.
    let _ = p521::provider().install_default();
}

/// kube's TLS configuration, with the features of Go's.
pub(crate) fn client_config(config: &Config) -> kube::Result<ClientConfig> {
    let mut made = match config.rustls_client_config() {
        Err(kube::Error::RustlsTls(RustlsTlsError::InvalidPrivateKey(Error::InvalidCertificate(why)))) => {
            let refused = || kube::Error::RustlsTls(RustlsTlsError::InvalidPrivateKey(Error::InvalidCertificate(why)));
            with_identity(config, identity(config).ok_or_else(refused)?)?
        }
        made => made?,
    };
    // kube reloads the authorities of a pod's service account, which change.
    let is_ours = !config.accept_invalid_certs && config.root_cert_file.is_none();
    if let Some(verifier) = config.root_cert.as_deref().filter(|_| is_ours).and_then(Pinned::new) {
        made.dangerous().set_certificate_verifier(Arc::new(verifier));
    }
    Ok(made)
}

fn with_identity(config: &Config, identity: ClientIdentity) -> kube::Result<ClientConfig> {
    let mut bare = config.clone();
    let auth = &mut bare.auth_info;
    (auth.client_certificate, auth.client_certificate_data) = (None, None);
    (auth.client_key, auth.client_key_data) = (None, None);
    let mut made = bare.rustls_client_config()?;
    made.client_auth_cert_resolver = Arc::new(identity);
    Ok(made)
}

/// The kubeconfig's client certificate with its key; `None` if there is none, or if this program
/// cannot sign with the key.
fn identity(config: &Config) -> Option<ClientIdentity> {
    let auth = &config.auth_info;
    let certificate = pem(auth.client_certificate_data.as_deref(), auth.client_certificate.as_deref())?;
    let key = auth.client_key_data.as_ref().map(secrecy::ExposeSecret::expose_secret);
    let key = pem(key, auth.client_key.as_deref())?;
    let chain = CertificateDer::pem_slice_iter(&certificate).collect::<Result<Vec<_>, _>>().ok()?;
    let key = PrivateKeyDer::from_pem_slice(&key).ok()?;
    let key = CryptoProvider::get_default()?.key_provider.load_private_key(key).ok()?;
    (!chain.is_empty()).then(|| ClientIdentity(Arc::new(CertifiedKey::new(chain, key))))
}

/// The PEM text in a kubeconfig, or in the file that it names.
#[expect(clippy::disallowed_methods, reason = "the kubeconfig names the file")]
fn pem(data: Option<&str>, file: Option<&str>) -> Option<Vec<u8>> {
    match (data, file) {
        (Some(data), _) => Some(serde_json::from_value::<ByteString>(Value::String(data.into())).ok()?.0),
        (None, Some(file)) => std::fs::read(file).ok(),
        (None, None) => None,
    }
}

/// Trusts a server if an authority vouches for it, or if its own certificate is among the
/// authorities, for its names and within its validity, as Go does (golang/go:
/// `src/crypto/x509/verify.go`).
#[derive(Debug)]
struct Pinned {
    authorities: Arc<WebPkiServerVerifier>,
    pinned: Vec<Vec<u8>>,
}

impl Pinned {
    fn new(certificates: &[Vec<u8>]) -> Option<Self> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates.iter().map(|der| CertificateDer::from(der.as_slice())));
        let authorities = WebPkiServerVerifier::builder(Arc::new(roots)).build().ok()?;
        Some(Self { authorities, pinned: certificates.to_vec() })
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let vouched = self.authorities.verify_server_cert(certificate, between, name, ocsp, now);
        if vouched.is_ok() || !self.pinned.iter().any(|pinned| pinned == certificate.as_ref()) {
            return vouched;
        }
        verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
        let (from, until) = validity(certificate).ok_or(CertificateError::BadEncoding)?;
        let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        if now < from.as_second() {
            return Err(CertificateError::NotValidYet.into());
        }
        if now > until.as_second() {
            return Err(CertificateError::Expired.into());
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.supported_verify_schemes()
    }
}

/// The first and last moment of a certificate's validity (RFC 5280, section 4.1).
fn validity(certificate: &[u8]) -> Option<(Timestamp, Timestamp)> {
    let mut content = inside(&mut SliceReader::new(certificate).ok()?)?;
    let mut fields = inside(&mut content)?;
    if fields.peek_byte() == Some(VERSION) {
        fields.tlv_bytes().ok()?;
    }
    // The serial number, the algorithm and the issuer.
    for _ in 0..3 {
        fields.tlv_bytes().ok()?;
    }
    let mut times = inside(&mut fields)?;
    Some((time(&mut times)?, time(&mut times)?))
}

/// The tag of the version, which a certificate of version 1 does not have.
const VERSION: u8 = 0xa0;

/// The content of the next sequence.
fn inside<'c>(content: &mut SliceReader<'c>) -> Option<SliceReader<'c>> {
    let sequence: &SequenceRef = content.decode().ok()?;
    SliceReader::new(sequence.as_bytes()).ok()
}

fn time(times: &mut SliceReader<'_>) -> Option<Timestamp> {
    let since_1970 = match Tag::peek(times).ok()? {
        Tag::UtcTime => times.decode::<UtcTime>().ok()?.to_unix_duration(),
        _ => times.decode::<GeneralizedTime>().ok()?.to_unix_duration(),
    };
    Timestamp::from_second(i64::try_from(since_1970.as_secs()).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEQUENCE: u8 = 0x30;
    const UTC_TIME: u8 = 0x17;
    const GENERALIZED_TIME: u8 = 0x18;

    fn der(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = u8::try_from(content.len()).unwrap();
        let head = if length < 0x80 { vec![tag, length] } else { vec![tag, 0x81, length] };
        [&head, content].concat()
    }

    fn certificate(version: &[u8], from: &[u8], until: &[u8]) -> Vec<u8> {
        let serial = der(0x02, &[7]);
        let times = der(SEQUENCE, &[from, until].concat());
        let (algorithm, issuer) = (der(SEQUENCE, &[1, 2]), der(SEQUENCE, &[]));
        der(SEQUENCE, &der(SEQUENCE, &[version, &serial, &algorithm, &issuer, &times].concat()))
    }

    #[test]
    fn the_validity_of_a_certificate_is_read() {
        let (from, until) = (der(UTC_TIME, b"260102030405Z"), der(GENERALIZED_TIME, b"20500102030405Z"));
        let times = Some(("2026-01-02T03:04:05Z".parse().unwrap(), "2050-01-02T03:04:05Z".parse().unwrap()));
        let third = certificate(&der(VERSION, &der(0x02, &[2])), &from, &until);
        assert_eq!(validity(&third), times);
        assert_eq!(validity(&certificate(&[], &from, &until)), times, "version 1 does not say its number");
        let last_century = certificate(&[], &der(UTC_TIME, b"990102030405Z"), &until);
        assert_eq!(validity(&last_century).unwrap().0, "1999-01-02T03:04:05Z".parse().unwrap());
        for length in 0..third.len() {
            assert_eq!(validity(&third[..length]), None, "cut off after {length} bytes");
        }
        for odd in [&b"soon"[..], b"261302030405Z", b"\xff", b""] {
            assert_eq!(validity(&certificate(&[], &der(UTC_TIME, odd), &until)), None, "{odd:?}");
        }
        assert_eq!(validity(&[SEQUENCE, 0x85, 0, 0, 0, 0, 1, 0]), None, "a length that nothing has");
    }
}
