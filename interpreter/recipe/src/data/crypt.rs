//! Decryption of values of encrypted data bag items, formats 0 to 3.
//!
//! Facts: chef 19, lib/chef/encrypted_data_bag_item/decryptor.rb. Format 0 derives key and IV as OpenSSL's
//! `pkcs5_keyivgen` does (MD5, 2048 rounds, no salt); 1 adds an IV and SHA-256 of the secret; 2 an HMAC of the Base64 text; 3 is AES-GCM.

use aes::Aes256;
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce};
use cbc::cipher::{BlockDecryptMut, KeyIvInit, block_padding::Pkcs7};
use hmac::{Hmac, Mac};
use md5::Md5;
use rchef_ruby::text::base64;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

/// A decrypted value.
#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    /// From JSON (formats 1 to 3).
    Json(Json),
    /// YAML text that is still to be read (format 0).
    Yaml(Vec<u8>),
}

/// Why a value cannot be decrypted; each is a class below `Chef::EncryptedDataBagItem`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// `DecryptionFailure`
    Decryption(String),
    /// `UnsupportedEncryptedDataBagItemFormat`
    Format(String),
    /// `UnsupportedCipher`
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

const WRONG: &str = "Most likely the provided key is incorrect";

fn openssl(reason: &str, secret: &[u8]) -> Failure {
    let hint = if secret.len() < 255 && secret.contains(&b'/') {
        "You may need to use --secret-file rather than --secret."
    } else {
        ""
    };
    Failure::Decryption(format!("Error decrypting data bag value: '{reason}'. {WRONG}. {hint}"))
}

/// Whether a value looks encrypted: what Chef asks of an item before it decrypts it.
pub fn looks_encrypted(value: &Json) -> bool {
    let Some(map) = value.as_object() else { return false };
    let Some(version) = map.get("version").and_then(Json::as_i64) else { return false };
    let needed: &[&str] = match version {
        1 => &["encrypted_data", "iv", "version", "cipher"],
        2 => &["encrypted_data", "hmac", "iv", "version", "cipher"],
        3 => &["encrypted_data", "auth_tag", "iv", "version", "cipher"],
        _ => return false,
    };
    map.len() == needed.len() && needed.iter().all(|key| map.contains_key(*key))
}

fn aes_cbc(key: &[u8], iv: &[u8], data: &[u8], secret: &[u8]) -> Result<Vec<u8>, Failure> {
    let cipher =
        cbc::Decryptor::<Aes256>::new_from_slices(key, iv).map_err(|_| openssl("iv must be 16 bytes", secret))?;
    if data.is_empty() || !data.len().is_multiple_of(16) {
        return Err(openssl("wrong final block length", secret));
    }
    cipher.decrypt_padded_vec_mut::<Pkcs7>(data).map_err(|_| openssl("bad decrypt", secret))
}

/// `EVP_BytesToKey` with MD5 and no salt: 32 bytes of key, 16 of IV.
fn derive(secret: &[u8]) -> Vec<u8> {
    let (mut out, mut last) = (Vec::with_capacity(48), Vec::new());
    while out.len() < 48 {
        last.extend_from_slice(secret);
        for _ in 0..2048 {
            last = Md5::digest(&last).to_vec();
        }
        out.extend_from_slice(&last);
    }
    out
}

/// Decrypts a value.
pub fn decrypt(value: &Json, secret: &[u8]) -> Result<Plain, Failure> {
    let Some(map) = value.as_object() else {
        let text = value.as_str().unwrap_or_default();
        let made = derive(secret);
        return Ok(Plain::Yaml(aes_cbc(&made[..32], &made[32..48], &base64::decode(text.as_bytes()), secret)?));
    };
    let text = |key: &str| map.get(key).and_then(Json::as_str);
    let version = map.get("version").and_then(Json::as_i64);
    let Some(version @ 1..=3) = version else {
        let shown = map.get("version").map(Json::to_string).unwrap_or_default();
        return Err(Failure::Format(format!(
            "This version of chef does not support encrypted data bag item format version '{shown}'"
        )));
    };
    let expected = if version == 3 { "aes-256-gcm" } else { "aes-256-cbc" };
    let cipher = text("cipher").unwrap_or_default();
    if cipher != expected {
        return Err(Failure::Cipher(format!(
            "Cipher '{cipher}' is not supported by this version of Chef. Available ciphers: [\"aes-256-cbc\", \"aes-256-gcm\"]"
        )));
    }
    let encoded = text("encrypted_data").unwrap_or_default();
    let data = base64::decode(encoded.as_bytes());
    let iv = base64::decode(text("iv").unwrap_or_default().as_bytes());
    let key = Sha256::digest(secret);
    if version == 2 {
        let candidate = base64::decode(text("hmac").unwrap_or_default().as_bytes());
        let fine = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(secret)
            .is_ok_and(|mac| mac.chain_update(encoded.as_bytes()).verify_slice(&candidate).is_ok());
        if !fine {
            return Err(Failure::Decryption(format!("Error decrypting data bag value: invalid hmac. {WRONG}")));
        }
    }
    let bytes = if version == 3 {
        let Some(tag) = text("auth_tag") else {
            return Err(Failure::Decryption(
                "Error decrypting data bag value: invalid authentication tag. Most likely the data is corrupted".into(),
            ));
        };
        let mut sealed = data;
        sealed.extend_from_slice(&base64::decode(tag.as_bytes()));
        if iv.len() != 12 {
            return Err(openssl("iv must be 12 bytes", secret));
        }
        let gcm = Aes256Gcm::new_from_slice(key.as_slice()).map_err(|_| openssl("", secret))?;
        gcm.decrypt(Nonce::from_slice(&iv), sealed.as_slice()).map_err(|_| openssl("", secret))?
    } else {
        aes_cbc(key.as_slice(), &iv, &data, secret)?
    };
    match serde_json::from_slice::<Json>(&bytes) {
        Ok(Json::Object(mut wrapper)) => Ok(Plain::Json(wrapper.shift_remove("json_wrapper").unwrap_or(Json::Null))),
        _ => Err(Failure::Decryption(format!("Error decrypting data bag value. {WRONG}"))),
    }
}
