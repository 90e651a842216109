//! Masks a finished document: secrets, wherever they were copied to, and values that differ from run to run (SPEC-compile 6.3, 6.6).

use super::{options, value};
use crate::data::crypt;
use crate::run::run_mut;
use crate::secrets::secrets;
use rchef_host::EffectKind;
use rchef_model::document::{Map, Text, Value as Json};
use rchef_model::secrets::Secrets;
use rchef_ruby::Vm;
use std::borrow::Cow;

/// Keys whose strings are values.
const VALUES: [&str; 7] = ["merged", "levels", "value", "properties", "common", "command", "options"];

/// Keys whose strings are places or class names, which are not searched for secrets.
const PLACES: [&str; 9] = ["id", "type", "class", "cookbook", "recipe", "source", "declared_via", "file", "provider"];

/// The kind of a string in the document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A value: if it contains a secret, all of it is masked.
    Value,
    /// A name or a message: only the secret itself is masked.
    Name,
    /// A place in a file.
    Place,
}

/// The replacement for a secret value; with `--sensitive-digest` its HMAC, so that changes are visible.
pub fn hidden(vm: &mut Vm, shown: &Json) -> Json {
    hidden_by(options(vm).digest.as_deref(), shown)
}
fn hidden_by(key: Option<&[u8]>, shown: &Json) -> Json {
    let Some(mac) = key.and_then(|key| crypt::hmac(key, shown.to_json().as_bytes())) else { return value::masked() };
    let digest = rchef_ruby::text::digest::hex(&mac);
    let mut map = Map::new();
    map.push("$sensitive", Json::from(format!("hmac-sha256:{digest}")));
    Json::Object(map)
}

/// The strings to look for.
struct Mask<'a> {
    secrets: Option<&'a Secrets>,
    key: Option<Vec<u8>>,
    addresses: bool,
    /// Files whose names Ruby made from date, process ID and a random part.
    temporary: Vec<String>,
}

/// The document without secrets, object addresses and names of temporary files.
pub fn apply(vm: &mut Vm, document: Json) -> Json {
    let key = options(vm).digest.clone();
    let addresses = vm.addresses_shown.get();
    let temporary = temporary(vm);
    let known = (!secrets(vm).is_empty()).then(|| std::mem::take(secrets(vm)));
    if known.is_none() && !addresses && temporary.is_empty() {
        return document;
    }
    let mask = Mask { secrets: known.as_ref(), key, addresses, temporary };
    let done = mask.walk(document, Kind::Name);
    if let Some(known) = known {
        *secrets(vm) = known;
    }
    done
}

/// Masks a text that is not part of the dump, such as the message of a finding.
pub fn text(vm: &mut Vm, text: &str) -> String {
    let addresses = vm.addresses_shown.get();
    let text = if addresses { without_addresses(text) } else { text.to_string() };
    secrets(vm).without(&text).into_owned()
}

impl Mask<'_> {
    fn walk(&self, node: Json, kind: Kind) -> Json {
        match node {
            Json::String(text) => self.text(text, kind),
            Json::Array(items) => items.into_iter().map(|item| self.walk(item, kind)).collect(),
            Json::Object(map) => Json::Object(map.map(|key, inner| {
                let below = match kind {
                    Kind::Name if VALUES.contains(&key.as_ref()) => Kind::Value,
                    Kind::Name if PLACES.contains(&key.as_ref()) => Kind::Place,
                    kind => kind,
                };
                let inner = self.walk(inner, below);
                match self.secrets {
                    Some(secrets) if kind == Kind::Value => match secrets.without(&key) {
                        Cow::Owned(hidden) => (hidden.into(), inner),
                        Cow::Borrowed(_) => (key, inner),
                    },
                    _ => (key, inner),
                }
            })),
            Json::Int(number) if kind == Kind::Value && self.is_secret(&number.unsigned_abs().to_string()) => {
                hidden_by(self.key.as_deref(), &Json::Int(number))
            }
            Json::Float(number) if kind == Kind::Value && self.is_secret(&number.to_string()) => {
                hidden_by(self.key.as_deref(), &Json::Float(number))
            }
            other => other,
        }
    }

    fn is_secret(&self, number: &str) -> bool {
        self.secrets.is_some_and(|secrets| secrets.is_secret(number))
    }

    fn text(&self, text: Text, kind: Kind) -> Json {
        let mut text = text;
        if self.addresses && text.contains(":0x") {
            text = without_addresses(&text).into();
        }
        for path in &self.temporary {
            if text.contains(path.as_str()) {
                text = text.replace(path.as_str(), "{TMP}").into();
            }
        }
        match self.secrets {
            Some(secrets) if kind == Kind::Value && secrets.tells(&text) => {
                hidden_by(self.key.as_deref(), &Json::String(text))
            }
            Some(secrets) if kind == Kind::Name => match secrets.without(&text) {
                Cow::Owned(hidden) => Json::from(hidden),
                Cow::Borrowed(_) => Json::String(text),
            },
            _ => Json::String(text),
        }
    }
}

/// Replaces the address in `#<Foo:0x00007f…>` by zeros.
pub fn without_addresses(text: &str) -> String {
    const DIGITS: usize = 16;
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(":0x") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits == DIGITS && before.contains("#<") {
            out.push_str("0000000000000000");
            rest = &after[DIGITS..];
        } else {
            rest = after;
        }
    }
    out + rest
}

/// Paths with a name made by Ruby's `Dir::Tmpname`.
fn temporary(vm: &mut Vm) -> Vec<String> {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay() else { return Vec::new() };
    let repo = run_mut(vm).repo.clone();
    let mut found: Vec<String> = overlay
        .effects()
        .iter()
        .filter(|effect| effect.kind == EffectKind::Create || effect.kind == EffectKind::Mkdir)
        .map(|effect| String::from_utf8_lossy(&effect.subject).into_owned())
        .filter(|path| !path.starts_with(&repo) && path.rsplit('/').next().is_some_and(is_temporary))
        .collect();
    found.sort_by_key(|path| std::cmp::Reverse(path.len()));
    found.dedup();
    found
}

/// Whether a name is `PREFIX` + year, month and day + `-` + process ID + `-` + a random part.
fn is_temporary(name: &str) -> bool {
    let mut parts = name.splitn(3, '-');
    let (Some(date), Some(process), Some(chance)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let day: Vec<u8> = date.bytes().rev().take_while(u8::is_ascii_digit).collect();
    day.len() == 8
        && !process.is_empty()
        && process.bytes().all(|byte| byte.is_ascii_digit())
        && chance.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{is_temporary, without_addresses};

    #[test]
    fn addresses() {
        let text = "a #<Foo:0x00007f1234567890 @b=#<Bar:0x00007f1234567891>> mask:0x00007f1234567890";
        let zeros = "a #<Foo:0x0000000000000000 @b=#<Bar:0x0000000000000000>> mask:0x00007f1234567890";
        assert_eq!(without_addresses(text), zeros);
        assert_eq!(without_addresses("mask:0x00007f1234567890 :0xff"), "mask:0x00007f1234567890 :0xff");
    }

    #[test]
    fn temporary_names() {
        assert!(is_temporary("chef20261122-123-abc") && is_temporary("20261122-1-x1.rb"));
        assert!(!is_temporary("backup-20261122") && !is_temporary("a-b-c"));
    }
}
