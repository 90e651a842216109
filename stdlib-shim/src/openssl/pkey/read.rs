//! Parses keys from PEM and DER, in all common formats.

use super::Key;
use crate::openssl::reason;
use openssl::dh::Dh;
use openssl::dsa::Dsa;
use openssl::error::ErrorStack;
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use std::cell::Cell;

const UNSUPPORTED: &str = "unsupported";

/// Parses a key; the error is a message.
pub(crate) fn read(text: &[u8], password: Option<&[u8]>) -> Result<Key, String> {
    if memchr::memmem::find(text, b"-----BEGIN ").is_some() {
        from_pem(text, password)
    } else {
        from_der(text, password)
    }
}

/// Decodes a key that may be encrypted. If it is, the password must be given: there is no prompt.
fn encrypted(
    password: Option<&[u8]>,
    decode: impl FnOnce(&dyn Fn(&mut [u8]) -> Result<usize, ErrorStack>) -> Result<Key, ErrorStack>,
) -> Result<Key, Option<String>> {
    let asked = Cell::new(false);
    let answer = |buffer: &mut [u8]| {
        asked.set(true);
        let password = password.unwrap_or_default();
        let length = password.len().min(buffer.len());
        buffer[..length].copy_from_slice(&password[..length]);
        Ok(length)
    };
    decode(&answer).map_err(|stack| match (asked.get(), password) {
        (false, _) => None,
        (true, None) => Some("no password given".to_string()),
        (true, Some(_)) => {
            let wrong = |reason: &&str| matches!(*reason, "bad decrypt" | "pkcs12 cipherfinal error");
            let found = stack.errors().iter().filter_map(|error| error.reason()).find(wrong);
            Some(found.or_else(|| reason(&stack)).unwrap_or("bad decrypt").to_string())
        }
    })
}

fn from_pem(text: &[u8], password: Option<&[u8]>) -> Result<Key, String> {
    let private = |answer: &dyn Fn(&mut [u8]) -> Result<usize, ErrorStack>| {
        PKey::private_key_from_pem_callback(text, answer).map(Key::Private)
    };
    match encrypted(password, private) {
        Ok(key) => return Ok(key),
        Err(Some(why)) => return Err(why),
        Err(None) => {}
    }
    PKey::public_key_from_pem(text)
        .map(Key::Public)
        .or_else(|_| PKey::from_rsa(Rsa::public_key_from_pem_pkcs1(text)?).map(Key::Public))
        .or_else(|_| PKey::from_dsa(Dsa::public_key_from_pem(text)?).map(Key::Public))
        .or_else(|_| PKey::from_dh(Dh::params_from_pem(text)?).map(Key::Params))
        .map_err(|_| UNSUPPORTED.to_string())
}

/// Whether the second number is a DH generator (2 or 5) instead of an RSA exponent.
fn is_generator(key: &PKey<openssl::pkey::Public>) -> bool {
    let two_or_five =
        |number: &openssl::bn::BigNumRef| number.num_bits() == 2 && !number.is_odd() || number.num_bits() == 3;
    key.rsa().is_ok_and(|rsa| two_or_five(rsa.e()))
}

fn from_der(der: &[u8], password: Option<&[u8]>) -> Result<Key, String> {
    if let Ok(key) = PKey::private_key_from_der(der) {
        return Ok(Key::Private(key));
    }
    // a sequence of two numbers is either DH parameters or an RSA public key; they differ in the second number
    let plain = PKey::public_key_from_der(der)
        .map(Key::Public)
        .or_else(|_| PKey::from_rsa(Rsa::public_key_from_der_pkcs1(der)?).map(Key::Public))
        .or_else(|_| PKey::from_dh(Dh::params_from_der(der)?).map(Key::Params));
    let plain = match plain {
        Ok(Key::Public(key)) if is_generator(&key) => {
            Dh::params_from_der(der).and_then(PKey::from_dh).map(Key::Params).or(Ok(Key::Public(key)))
        }
        other => other,
    };
    if let Ok(key) = plain {
        return Ok(key);
    }
    let sealed = |answer: &dyn Fn(&mut [u8]) -> Result<usize, ErrorStack>| {
        PKey::private_key_from_pkcs8_callback(der, answer).map(Key::Private)
    };
    encrypted(password, sealed).map_err(|why| why.unwrap_or_else(|| UNSUPPORTED.to_string()))
}
