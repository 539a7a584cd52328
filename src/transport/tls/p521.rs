//! The curve P-521, which Go's TLS supports and ring does not: client keys on it can sign, and
//! servers' certificates that were signed with it can be verified.

use p521::SecretKey;
use p521::ecdsa::signature::Signer as _;
use p521::ecdsa::signature::hazmat::PrehashVerifier as _;
use p521::ecdsa::{DerSignature, SigningKey, VerifyingKey};
use ring::digest::{self, digest};
use rustls::crypto::ring::sign::any_supported_type;
use rustls::crypto::{CryptoProvider, KeyProvider, WebPkiSupportedAlgorithms, ring as without};
use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, PrivateKeyDer, SignatureVerificationAlgorithm, alg_id};
use rustls::sign::{Signer, SigningKey as Key};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};
use std::sync::{Arc, LazyLock};

type Algorithms = Vec<&'static dyn SignatureVerificationAlgorithm>;
type Schemes = Vec<(SignatureScheme, &'static [&'static dyn SignatureVerificationAlgorithm])>;

/// The only scheme with which TLS signs with such a key (RFC 8446, section 4.2.3).
const SCHEME: SignatureScheme = SignatureScheme::ECDSA_NISTP521_SHA512;
const IN_TLS: &[&dyn SignatureVerificationAlgorithm] = &[&WITH_SHA_512];

/// The cryptography for TLS: ring, and P-521.
pub(super) fn provider() -> CryptoProvider {
    let ring = without::default_provider();
    CryptoProvider { signature_verification_algorithms: verified(), key_provider: &KeyLoader, ..ring }
}

fn verified() -> WebPkiSupportedAlgorithms {
    static ALL: LazyLock<Algorithms> = LazyLock::new(|| {
        let known = without::default_provider().signature_verification_algorithms.all;
        [known, &[&WITH_SHA_512, &WITH_SHA_384, &WITH_SHA_256]].concat()
    });
    static SCHEMES: LazyLock<Schemes> = LazyLock::new(|| {
        let known = without::default_provider().signature_verification_algorithms.mapping;
        [known, &[(SCHEME, IN_TLS)]].concat()
    });
    WebPkiSupportedAlgorithms { all: &ALL, mapping: &SCHEMES }
}

/// Loads the keys that ring supports, and those on P-521.
#[derive(Debug)]
struct KeyLoader;

impl KeyProvider for KeyLoader {
    fn load_private_key(&self, der: PrivateKeyDer<'static>) -> Result<Arc<dyn Key>, Error> {
        any_supported_type(&der).or_else(|refused| {
            let key = SecretKey::from_der(der.secret_der()).map_err(|_| refused)?;
            Ok(Arc::new(Signs(Arc::new(key.into()))))
        })
    }
}

/// A private key. Its `Debug` does not show the secret.
#[derive(Debug, Clone)]
struct Signs(Arc<SigningKey>);

impl Key for Signs {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&SCHEME).then(|| Box::new(self.clone()) as _)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ECDSA
    }
}

impl Signer for Signs {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signature: DerSignature = self.0.try_sign(message).map_err(|error| Error::General(error.to_string()))?;
        Ok(signature.as_bytes().to_vec())
    }

    fn scheme(&self) -> SignatureScheme {
        SCHEME
    }
}

/// Verifies a signature. An authority may have used a shorter hash than the curve allows, as
/// openssl does by default.
#[derive(Debug)]
struct Verifies {
    hash: &'static digest::Algorithm,
    signed: AlgorithmIdentifier,
}

static WITH_SHA_256: Verifies = Verifies { hash: &digest::SHA256, signed: alg_id::ECDSA_SHA256 };
static WITH_SHA_384: Verifies = Verifies { hash: &digest::SHA384, signed: alg_id::ECDSA_SHA384 };
static WITH_SHA_512: Verifies = Verifies { hash: &digest::SHA512, signed: alg_id::ECDSA_SHA512 };

impl SignatureVerificationAlgorithm for Verifies {
    fn verify_signature(&self, key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
        let key = VerifyingKey::from_sec1_bytes(key).map_err(|_| InvalidSignature)?;
        let signature = DerSignature::from_bytes(signature).map_err(|_| InvalidSignature)?;
        key.verify_prehash(digest(self.hash, message).as_ref(), &signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_P521
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.signed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key in RFC 6979, section A.2.7.
    const KEY: &str = "00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C70855836A6D16FCC\
                       1466F6D8FBEC67DB89EC0C08B0E996B83538";

    fn bytes(hex: &str) -> Vec<u8> {
        let hex: String = hex.split_whitespace().collect();
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    /// A signature as it is encoded in certificates.
    fn signature(r: &str, s: &str) -> Vec<u8> {
        let signature = p521::ecdsa::Signature::from_slice(&bytes(&format!("{r}{s}"))).unwrap();
        signature.to_der().as_bytes().to_vec()
    }

    fn key() -> SecretKey {
        SecretKey::from_slice(&bytes(KEY)).unwrap()
    }

    fn public() -> Vec<u8> {
        SigningKey::from(key()).verifying_key().to_sec1_point(false).as_bytes().to_vec()
    }

    #[test]
    fn signatures_of_the_standard_are_checked() {
        let public = public();
        let with_256 = signature(
            "01511BB4D675114FE266FC4372B87682BAECC01D3CC62CF2303C92B3526012659D16876E25C7C1E57648F23B73564D67F61C\
             6F14D527D54972810421E7D87589E1A7",
            "004A171143A83163D6DF460AAF61522695F207A58B95C0644D87E52AA1A347916E4F7A72930B1BC06DBE22CE3F58264AFD23\
             704CBB63B29B931F7DE6C9D949A7ECFC",
        );
        let with_384 = signature(
            "01EA842A0E17D2DE4F92C15315C63DDF72685C18195C2BB95E572B9C5136CA4B4B576AD712A52BE9730627D16054BA40CC0B\
             8D3FF035B12AE75168397F5D50C67451",
            "01F21A3CEE066E1961025FB048BD5FE2B7924D0CD797BABE0A83B66F1E35EEAF5FDE143FA85DC394A7DEE766523393784484\
             BDF3E00114A1C857CDE1AA203DB65D61",
        );
        let with_512 = signature(
            "00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5D450606ADD152B534931\
             D7D4E8455CC91F9B15BF05EC36E377FA",
            "00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C0723D8B8C37FF0777B1A\
             20F8CCB1DCCC43997F1EE0E44DA4A67A",
        );
        for (how, signature) in [(&WITH_SHA_256, &with_256), (&WITH_SHA_384, &with_384), (&WITH_SHA_512, &with_512)] {
            let verify = |message: &[u8], signature: &[u8]| how.verify_signature(&public, message, signature).is_ok();
            assert!(verify(b"sample", signature), "{how:?}");
            assert!(!verify(b"simple", signature), "{how:?}: another text");
            assert!(!verify(b"sample", &signature[1..]), "{how:?}: no signature");
        }
        assert!(WITH_SHA_384.verify_signature(&public, b"sample", &with_512).is_err(), "another hash");
        assert!(WITH_SHA_512.verify_signature(&public[1..], b"sample", &with_512).is_err(), "no key");
    }

    #[test]
    fn a_key_signs_as_the_server_asks_it_to() {
        let signs = Signs(Arc::new(key().into()));
        assert!(signs.choose_scheme(&[SignatureScheme::ECDSA_NISTP256_SHA256]).is_none());
        let signer = signs.choose_scheme(&[SignatureScheme::ECDSA_NISTP384_SHA384, SCHEME]).expect("it can");
        let signature = signer.sign(b"sample").unwrap();
        let public = public();
        assert!(WITH_SHA_512.verify_signature(&public, b"sample", &signature).is_ok());
    }
}
