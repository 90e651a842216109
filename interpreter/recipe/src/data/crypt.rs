//! Encrypted values of data bag items, formats 0 to 3, as bytes and JSON, with libcrypto. Formats 1 to 3 can also be written.
//!
//! Facts: chef 18, lib/chef/encrypted_data_bag_item/decryptor.rb. Format 0 derives key and IV as OpenSSL's `pkcs5_keyivgen` does (MD5, 2048 rounds,
//! no salt); 1 adds an IV and SHA-256 of the secret; 2 an HMAC of the Base64 text; 3 is AES-GCM.

use openssl::hash::{MessageDigest, hash};
use openssl::pkcs5::bytes_to_key;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use openssl::symm::{self, Cipher, Crypter, Mode};
use rchef_ruby::text::base64;
use serde_json::Value as Json;

#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    /// From JSON (formats 1 to 3).
    Json(Json),
    /// Unparsed YAML (format 0).
    Yaml(Vec<u8>),
}

/// Why a value cannot be encrypted or decrypted; each is a class in `Chef::EncryptedDataBagItem`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    Decryption(String),
    Format(String),
    Cipher(String),
}

impl Failure {
    /// Class name and message.
    pub fn parts(&self) -> (&'static str, &str) {
        match self {
            Failure::Decryption(text) => ("DecryptionFailure", text),
            Failure::Format(text) => ("UnsupportedEncryptedDataBagItemFormat", text),
            Failure::Cipher(text) => ("UnsupportedCipher", text),
        }
    }
}

/// The cipher of formats 0 to 2.
const CHAINED: &str = "aes-256-cbc";
/// The cipher of format 3.
const AUTHENTICATED: &str = "aes-256-gcm";
const WRONG: &str = "Most likely the provided key is incorrect";

fn openssl(reason: &str, secret: &[u8]) -> Failure {
    let hint = if secret.len() < 255 && secret.contains(&b'/') {
        "You may need to use --secret-file rather than --secret."
    } else {
        ""
    };
    Failure::Decryption(format!("Error decrypting data bag value: '{reason}'. {WRONG}. {hint}"))
}

/// The keys of an encrypted value in this format; `None` if the format is unknown or not a map.
pub fn keys(format: i64) -> Option<&'static [&'static str]> {
    match format {
        1 => Some(&["encrypted_data", "iv", "version", "cipher"]),
        2 => Some(&["encrypted_data", "hmac", "iv", "version", "cipher"]),
        3 => Some(&["encrypted_data", "auth_tag", "iv", "version", "cipher"]),
        _ => None,
    }
}

/// Whether a value looks encrypted, by the test that Chef applies to an item before it decrypts it.
pub fn looks_encrypted(value: &Json) -> bool {
    let Some(map) = value.as_object() else { return false };
    let Some(needed) = map.get("version").and_then(Json::as_i64).and_then(keys) else { return false };
    map.len() == needed.len() && needed.iter().all(|key| map.contains_key(*key))
}

/// The length of a GCM tag in bytes. Shorter tags are refused, since the library would compare only their length.
const TAG: usize = 16;

/// Decrypts with an IV of the cipher's default length; with a tag, modified data is refused.
fn decipher(
    cipher: Cipher,
    key: &[u8],
    iv: &[u8],
    tag: Option<&[u8]>,
    data: &[u8],
    secret: &[u8],
) -> Result<Vec<u8>, Failure> {
    let length = cipher.iv_len().unwrap_or_default();
    if iv.len() != length {
        return Err(openssl(&format!("iv must be {length} bytes"), secret));
    }
    let failed = |stack: openssl::error::ErrorStack| {
        openssl(stack.errors().last().and_then(|error| error.reason()).unwrap_or_default(), secret)
    };
    let mut crypter = Crypter::new(cipher, Mode::Decrypt, key, Some(iv)).map_err(failed)?;
    if let Some(tag) = tag {
        if tag.len() != TAG {
            return Err(openssl("", secret));
        }
        crypter.set_tag(tag).map_err(failed)?;
    }
    let mut out = vec![0; data.len() + cipher.block_size()];
    let mut count = crypter.update(data, &mut out).map_err(failed)?;
    count += crypter.finalize(&mut out[count..]).map_err(failed)?;
    out.truncate(count);
    Ok(out)
}

/// HMAC with SHA-256; None if the library fails.
pub fn hmac(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let key = PKey::hmac(key).ok()?;
    Signer::new(MessageDigest::sha256(), &key).and_then(|mut signer| signer.sign_oneshot_to_vec(data)).ok()
}
fn is_hmac(candidate: &[u8], secret: &[u8], text: &[u8]) -> bool {
    hmac(secret, text).is_some_and(|made| made.len() == candidate.len() && openssl::memcmp::eq(&made, candidate))
}

/// Base64 in lines of 60 characters, as written by Ruby's `encode64`.
fn encode(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&base64::encode_lines(bytes, 45)).into_owned()
}

/// Encrypts a text (JSON with a `json_wrapper`) in format 1, 2 or 3, and gives the encrypted value.
///
/// # Errors
/// See [`Failure`]: an unknown format, or an IV of a wrong length.
pub fn encrypt(format: i64, text: &[u8], secret: &[u8], iv: &[u8]) -> Result<Json, Failure> {
    let failed = |_| Failure::Format("the value cannot be encrypted".into());
    let key = hash(MessageDigest::sha256(), secret).map_err(failed)?;
    let (name, cipher) =
        if format == 3 { (AUTHENTICATED, Cipher::aes_256_gcm()) } else { (CHAINED, Cipher::aes_256_cbc()) };
    let length = cipher.iv_len().unwrap_or_default();
    if iv.len() != length {
        return Err(Failure::Format(format!("iv must be {length} bytes")));
    }
    let mut tag = [0; TAG];
    let data = match format {
        1 | 2 => symm::encrypt(cipher, &key, Some(iv), text),
        3 => symm::encrypt_aead(cipher, &key, Some(iv), &[], text, &mut tag),
        _ => return Err(Failure::Format(format!("there is no format {format}"))),
    };
    let encoded = encode(&data.map_err(failed)?);
    let mut value = serde_json::Map::new();
    let check = match format {
        2 => hmac(secret, encoded.as_bytes()).map(|made| ("hmac", encode(&made))),
        3 => Some(("auth_tag", encode(&tag))),
        _ => None,
    };
    value.insert("encrypted_data".into(), encoded.into());
    value.insert("iv".into(), encode(iv).into());
    value.extend(check.map(|(key, made)| (key.into(), made.into())));
    value.insert("version".into(), format.into());
    value.insert("cipher".into(), name.into());
    Ok(Json::Object(value))
}

/// The length of the IV in a format, in bytes.
pub fn iv_length(format: i64) -> usize {
    let cipher = if format == 3 { Cipher::aes_256_gcm() } else { Cipher::aes_256_cbc() };
    cipher.iv_len().unwrap_or_default()
}

/// Decrypts a value.
///
/// # Errors
/// See [`Failure`]; from format 2 on, also for a value that was modified after its encryption.
pub fn decrypt(value: &Json, secret: &[u8]) -> Result<Plain, Failure> {
    let bytes = unseal(value, secret)?;
    if !value.is_object() {
        return Ok(Plain::Yaml(bytes));
    }
    match serde_json::from_slice::<Json>(&bytes) {
        Ok(Json::Object(mut wrapper)) => Ok(Plain::Json(wrapper.shift_remove("json_wrapper").unwrap_or(Json::Null))),
        _ => Err(Failure::Decryption(format!("Error decrypting data bag value. {WRONG}"))),
    }
}

/// Decrypts a value to the text that was encrypted: JSON with a `json_wrapper`, or YAML in format 0.
///
/// # Errors
/// As [`decrypt`].
pub fn unseal(value: &Json, secret: &[u8]) -> Result<Vec<u8>, Failure> {
    let Some(map) = value.as_object() else {
        let text = value.as_str().unwrap_or_default();
        let made = bytes_to_key(Cipher::aes_256_cbc(), MessageDigest::md5(), secret, None, 2048);
        let made = made.map_err(|_| openssl("", secret))?;
        let (data, iv) = (base64::decode(text.as_bytes()), made.iv.unwrap_or_default());
        return decipher(Cipher::aes_256_cbc(), &made.key, &iv, None, &data, secret);
    };
    let text = |key: &str| map.get(key).and_then(Json::as_str);
    let version = map.get("version").and_then(Json::as_i64);
    let Some(version @ 1..=3) = version else {
        let shown = map.get("version").map(Json::to_string).unwrap_or_default();
        return Err(Failure::Format(format!(
            "This version of chef does not support encrypted data bag item format version '{shown}'"
        )));
    };
    let expected = if version == 3 { AUTHENTICATED } else { CHAINED };
    let cipher = text("cipher").unwrap_or_default();
    if cipher != expected {
        return Err(Failure::Cipher(format!(
            "Cipher '{cipher}' is not supported by this version of Chef. Available ciphers: [\"aes-256-cbc\", \"aes-256-gcm\"]"
        )));
    }
    let encoded = text("encrypted_data").unwrap_or_default();
    let data = base64::decode(encoded.as_bytes());
    let iv = base64::decode(text("iv").unwrap_or_default().as_bytes());
    let key = hash(MessageDigest::sha256(), secret).map_err(|_| openssl("", secret))?;
    if version == 2 {
        let candidate = base64::decode(text("hmac").unwrap_or_default().as_bytes());
        if !is_hmac(&candidate, secret, encoded.as_bytes()) {
            return Err(Failure::Decryption(format!("Error decrypting data bag value: invalid hmac. {WRONG}")));
        }
    }
    if version == 3 {
        let Some(tag) = text("auth_tag") else {
            return Err(Failure::Decryption(
                "Error decrypting data bag value: invalid authentication tag. Most likely the data is corrupted".into(),
            ));
        };
        decipher(Cipher::aes_256_gcm(), &key, &iv, Some(&base64::decode(tag.as_bytes())), &data, secret)
    } else {
        decipher(Cipher::aes_256_cbc(), &key, &iv, None, &data, secret)
    }
}
