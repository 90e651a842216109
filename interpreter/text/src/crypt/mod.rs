//! `crypt(3)`: password hashes of `/etc/shadow`. MD5 (`$1$`), SHA-256 (`$5$`) and SHA-512 (`$6$`), as in libxcrypt.

mod md5;
mod sha;

/// How often MD5 is taken, whatever the setting.
const MD5_ROUNDS: usize = 1000;

/// The digits of these hashes.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Why there is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CryptError {
    /// The setting is invalid: libxcrypt returns `*0`, or `*1` if the setting itself is `*0`.
    Invalid,
    /// A method of libxcrypt that is not supported.
    Unknown(&'static str),
}

/// The number of rounds in a setting, for callers that limit work.
pub fn rounds(setting: &[u8]) -> usize {
    match setting.get(..3) {
        Some(b"$5$" | b"$6$") => sha::setting(&setting[3..]).map_or(0, |found| found.rounds as usize),
        Some(b"$1$") => MD5_ROUNDS,
        _ => 0,
    }
}

/// Hashes a password with the method, rounds and salt of a setting.
///
/// # Errors
/// The setting is invalid, or its method is not supported.
pub fn crypt(password: &[u8], setting: &[u8]) -> Result<Vec<u8>, CryptError> {
    let is_salt = |byte: &u8| (0x21..0x7f).contains(byte) && !b"!*:;\\".contains(byte);
    if !setting.iter().all(is_salt) {
        return Err(CryptError::Invalid);
    }
    let (head, rest) = setting.split_at_checked(3).unwrap_or((setting, b""));
    match head {
        b"$5$" | b"$6$" => sha::crypt(password, rest, head).ok_or(CryptError::Invalid),
        b"$1$" => Ok(md5::crypt(password, rest)),
        b"$y$" | b"$gy" => Err(CryptError::Unknown("yescrypt")),
        b"$7$" => Err(CryptError::Unknown("scrypt")),
        b"$2a" | b"$2b" | b"$2x" | b"$2y" => Err(CryptError::Unknown("bcrypt")),
        [b'_', ..] => Err(CryptError::Unknown("BSDi's DES")),
        [b'$', ..] => Err(CryptError::Invalid),
        [first, second, ..] if [first, second].iter().all(|byte| DIGITS.contains(byte)) => {
            Err(CryptError::Unknown("DES"))
        }
        _ => Err(CryptError::Invalid),
    }
}

/// Appends three bytes (the first is the most significant) as `count` digits, the least significant digit first.
fn digits(out: &mut Vec<u8>, bytes: [u8; 3], count: usize) {
    let mut number = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2]);
    for _ in 0..count {
        out.push(DIGITS[(number & 63) as usize]);
        number >>= 6;
    }
}

/// The text before `$` or the end, at most `most` bytes.
fn salt(text: &[u8], most: usize) -> &[u8] {
    let end = text.iter().position(|byte| *byte == b'$').unwrap_or(text.len());
    &text[..end.min(most)]
}

#[cfg(test)]
mod tests {
    use super::{CryptError, crypt};

    /// Expected values are from libxcrypt 4.4.
    #[test]
    fn as_libxcrypt() {
        let cases = [
            ("Hello world!", "$5$saltstring", "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5"),
            (
                "Hello world!",
                "$5$rounds=10000$saltstringsaltstring",
                "$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA",
            ),
            (
                "password",
                "$6$saltstring",
                "$6$saltstring$adDbXsJjcDlq2662QPgd.tkSOVmnG9Tt3oXl4HR60SusC3AGjirnDenVZp3DGwLwqy6iYKCzannhaX9DR72nN1",
            ),
            (
                "x",
                "$6$a$b",
                "$6$a$AvQLBHPFSbE4d9QOBrglBdXuv.jRoEFLHgWJlsZ6XhNHrxkMbotj9kAr0GGhdZ5XM6DM29/LJ9jZin3Aj8Tph0",
            ),
        ];
        for (password, setting, hash) in cases {
            let made = crypt(password.as_bytes(), setting.as_bytes()).map(|made| String::from_utf8(made).unwrap());
            assert_eq!(made.as_deref(), Ok(hash), "{password} {setting}");
        }
        for setting in ["", "a", "a!", "!a", "$9$a", "$6", "*0", "$6$rounds=10$x", "$5$rounds=100000000000$x", "$6$a b"]
        {
            assert_eq!(crypt(b"x", setting.as_bytes()), Err(CryptError::Invalid), "{setting}");
        }
        assert_eq!(crypt(b"nutmeg", b"Mi"), Err(CryptError::Unknown("DES")));
        assert_eq!(crypt(b"x", b"$y$j9T$abcdefgh"), Err(CryptError::Unknown("yescrypt")));
    }
}
