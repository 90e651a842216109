//! Texts that must not be shown: what encrypted data bag items and vaults held when they were read, what sensitive properties hold. Dumps mask
//! them wherever they turn up (SPEC-compile 6.3).

use rchef_ruby::{Value, Vm};
use std::collections::BTreeSet;

/// Texts shorter than this say nothing of a secret.
const SHORTEST: usize = 4;
/// Shorter ones are only recognized as whole values: inside other texts they would be found by chance.
const SHORTEST_PART: usize = 6;
/// Words that encrypted items hold beside their secrets and that are none.
const PLAIN: [&str; 12] = [
    "true",
    "false",
    "null",
    "none",
    "root",
    "admin",
    "user",
    "default",
    "enabled",
    "disabled",
    "localhost",
    "127.0.0.1",
];
/// How deep values are followed.
const MAX_DEPTH: usize = 60;

/// The texts that were read.
#[derive(Default)]
pub struct Secrets {
    texts: BTreeSet<String>,
}

/// The machine's secrets.
pub fn secrets(vm: &mut Vm) -> &mut Secrets {
    vm.extension::<Secrets>()
}

/// Remembers the texts of a value that was decrypted: all below keys that are named as secrets are, elsewhere those that are no plain words
/// (the names of users, databases and hosts beside a password are shown everywhere else).
pub fn remember_decrypted(vm: &mut Vm, value: &Value) {
    let mut found = Vec::new();
    named(vm, value, &mut found, 0);
    let mut texts = Vec::new();
    for value in found {
        collect(vm, &value, &mut texts, 0);
    }
    for text in texts {
        secrets(vm).add(text);
    }
    remember(vm, value);
}
/// Remembers every text in a value that is no plain word.
pub fn remember(vm: &mut Vm, value: &Value) {
    let mut found = Vec::new();
    collect(vm, value, &mut found, 0);
    for text in found.into_iter().filter(|text| !is_plain_word(text)) {
        secrets(vm).add(text);
    }
}
/// Remembers the texts below keys that are named as secrets are, unless they are plain words.
pub fn remember_named(vm: &mut Vm, value: &Value) {
    let mut found = Vec::new();
    named(vm, value, &mut found, 0);
    for value in found {
        remember(vm, &value);
    }
}
/// Whether a text is a short word in small letters: what names things, and would be hidden wherever they are named.
fn is_plain_word(text: &str) -> bool {
    text.len() < 16 && text.bytes().all(|byte| byte.is_ascii_lowercase() || b"-_./".contains(&byte))
}
fn named(vm: &Vm, value: &Value, found: &mut Vec<Value>, depth: usize) {
    const NAMES: [&str; 7] = ["passw", "passphrase", "secret", "token", "credential", "private_key", "api_key"];
    let Value::Hash(hash) = value else { return };
    for (key, inner) in hash.get(vm).iter() {
        let key = match key {
            Value::Sym(name) => name.as_str().to_lowercase(),
            Value::Str(text) => String::from_utf8_lossy(text.get(vm).bytes()).to_lowercase(),
            _ => continue,
        };
        if NAMES.iter().any(|name| key.contains(name)) {
            found.push(inner.clone());
        } else if depth < MAX_DEPTH {
            named(vm, inner, found, depth + 1);
        }
    }
}
fn collect(vm: &Vm, value: &Value, found: &mut Vec<String>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Str(text) => found.push(String::from_utf8_lossy(text.get(vm).bytes()).into_owned()),
        Value::Array(list) => list.get(vm).items.iter().for_each(|item| collect(vm, item, found, depth + 1)),
        Value::Hash(hash) => hash.get(vm).iter().for_each(|(_, item)| collect(vm, item, found, depth + 1)),
        _ => {}
    }
}

impl Secrets {
    /// Remembers a text, unless it is too short or common to be a secret.
    pub fn add(&mut self, text: String) {
        let number = text.len() < SHORTEST_PART && text.bytes().all(|byte| byte.is_ascii_digit());
        if text.trim().len() >= SHORTEST && !number && !PLAIN.contains(&text.as_str()) {
            // lines of a key are often used without the last newline
            let trimmed = text.trim_end();
            if trimmed.len() != text.len() {
                self.texts.insert(trimmed.to_string());
            }
            self.texts.insert(text);
        }
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a text is a secret, or has one in it.
    pub fn tells(&self, text: &str) -> bool {
        self.texts.contains(text) || self.parts().any(|secret| text.contains(secret))
    }

    /// A text with the secrets in it replaced.
    pub fn without(&self, text: &str) -> String {
        if self.texts.contains(text) {
            return HIDDEN.into();
        }
        let mut parts: Vec<&str> = self.parts().filter(|secret| text.contains(secret)).collect();
        parts.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        parts.into_iter().fold(text.to_string(), |text, secret| text.replace(secret, HIDDEN))
    }

    fn parts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str).filter(|secret| secret.len() >= SHORTEST_PART)
    }
}

/// What stands for a secret inside a text.
const HIDDEN: &str = "{SENSITIVE}";

#[cfg(test)]
mod tests {
    use super::{Secrets, is_plain_word};

    #[test]
    fn names_are_no_secrets() {
        assert!(is_plain_word("postgres") && is_plain_word("my-db.example"));
        assert!(!is_plain_word("Hunter2") && !is_plain_word("correct-horse-battery") && !is_plain_word("s3cret"));
    }

    #[test]
    fn whole_values_and_parts() {
        let mut secrets = Secrets::default();
        for text in ["s3cr", "hunter22", "8080", "root", "key\nline\n"] {
            secrets.add(text.into());
        }
        assert!(secrets.tells("s3cr") && !secrets.tells("a s3cr b"));
        assert!(secrets.tells("password=hunter22;") && secrets.tells("key\nline"));
        assert!(!secrets.tells("8080") && !secrets.tells("root"));
        assert_eq!(secrets.without("mysql -phunter22 x"), "mysql -p{SENSITIVE} x");
    }
}
