//! The run's register of secrets: what encrypted data bag items, vaults, secret services and key files gave, and what sensitive properties hold.
//! Whatever is printed or written for people goes through [`shown`] or the dump's mask (SPEC-compile 6.3).

use rchef_model::secrets::{Grade, Named, Secrets, is_name, named};
use rchef_ruby::{Res, Value, Vm};
use std::borrow::Cow;

/// How deep values are followed.
const MAX_DEPTH: usize = 60;

pub fn secrets(vm: &mut Vm) -> &mut Secrets {
    vm.extension::<Secrets>()
}

/// A text for people, without the secrets in it.
pub fn shown<'a>(vm: &mut Vm, text: &'a str) -> Cow<'a, str> {
    secrets(vm).without(text)
}

/// What is written instead of a text to standard output or standard error, where secrets are in it: what Ruby code prints is masked as well.
pub fn filter_output(vm: &mut Vm, bytes: &[u8]) -> Option<Vec<u8>> {
    match secrets(vm).without_bytes(bytes) {
        Cow::Borrowed(_) => None,
        Cow::Owned(masked) => Some(masked),
    }
}

/// `Chef::EncryptedDataBagItem.shown(text)`: the text without the secrets in it, for what Ruby source of ours writes to files.
pub fn masked(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let text = vm.to_s_text(args.at(0))?;
    let masked = secrets(vm).without(&text).into_owned();
    Ok(Value::str(masked))
}

/// What remembers a kind of text.
type Keep = fn(&mut Secrets, &str, Named);

/// A walk through a value.
struct Walk {
    /// Texts that are not below a key that says more.
    base: Named,
    /// Only what is below such a key.
    named_only: bool,
    keep: Keep,
    found: Vec<(String, Named)>,
}

/// Remembers the texts and numbers of a value that was decrypted: what is below keys that are named as secrets are wherever it turns up, plain words
/// and names as whole values only.
pub fn remember_decrypted(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, false, Secrets::add);
}

/// Remembers what was decrypted of a key of an item.
pub fn remember_decrypted_of(vm: &mut Vm, key: &str, value: &Value) {
    walk(vm, value, named(key), false, Secrets::add);
}

/// Remembers a value that is nothing but a secret, such as a key.
pub fn remember(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Secret, false, Secrets::add);
}

/// Remembers what a sensitive property has; a plain word there may well be the name of something, too.
pub fn remember_property(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, false, Secrets::add);
}

/// Remembers a name that is a command or a message with a secret in it.
pub fn remember_name(vm: &mut Vm, name: &Value) {
    walk(vm, name, Named::Other, false, |secrets, text, _| secrets.add_as(text, Grade::Everywhere));
}

/// Remembers a sensitive resource's value that has secrets in it beside other things, such as a file's content.
pub fn remember_document(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, false, |secrets, text, named| match named {
        Named::Secret => secrets.add(text, named),
        _ => secrets.add_document(text),
    });
}

/// Remembers the texts below keys that are named as secrets are.
pub fn remember_named(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, true, Secrets::add);
}

/// `Chef::EncryptedDataBagItem.remember(value)`: remembers a secret that Ruby code got from elsewhere, and gives it back.
pub fn remembered(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let value = args.at(0).clone();
    remember(vm, &value);
    Ok(value)
}

fn walk(vm: &mut Vm, value: &Value, base: Named, named_only: bool, keep: Keep) {
    let mut walk = Walk { base, named_only, keep, found: Vec::new() };
    walk.enter(vm, value, base, 0);
    for (text, named) in walk.found {
        (walk.keep)(secrets(vm), &text, named);
    }
}

impl Walk {
    fn enter(&mut self, vm: &Vm, value: &Value, place: Named, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let text = match value {
            Value::Str(text) => String::from_utf8_lossy(text.get(vm).bytes()).into_owned(),
            Value::Sym(name) => name.as_str().to_string(),
            Value::Int(number) => number.unsigned_abs().to_string(),
            Value::Float(number) => number.to_string(),
            Value::Array(list) => {
                return list.get(vm).items.iter().for_each(|item| self.enter(vm, item, place, depth + 1));
            }
            Value::Hash(hash) => {
                return hash.get(vm).iter().for_each(|(key, item)| self.pair(vm, key, item, place, depth));
            }
            _ => return,
        };
        if !self.named_only || place == Named::Secret {
            self.found.push((text, place));
        }
    }

    fn pair(&mut self, vm: &Vm, key: &Value, item: &Value, place: Named, depth: usize) {
        let key = match key {
            Value::Sym(name) => name.as_str().to_string(),
            Value::Str(text) => String::from_utf8_lossy(text.get(vm).bytes()).into_owned(),
            _ => String::new(),
        };
        let inner = match named(&key) {
            // what is below `passwords` are passwords, whatever their keys say
            _ if place == Named::Secret => place,
            Named::Other => self.base,
            said => said,
        };
        if !self.named_only && !is_name(&key) {
            self.found.push((key, Named::Other));
        }
        self.enter(vm, item, inner, depth + 1);
    }
}
