//! The run's register of secrets: values from encrypted data bag items, vaults, secret services and key files, and of sensitive properties.
//! Everything that is printed or written for people passes through [`shown`] or the dump's mask (SPEC-compile 6.3).

use rchef_model::secrets::{Grade, Named, Secrets, is_name, named};
use rchef_ruby::{Res, Value, Vm};
use std::borrow::Cow;

/// The maximum nesting of a value.
const MAX_DEPTH: usize = 60;

pub fn secrets(vm: &mut Vm) -> &mut Secrets {
    vm.extension::<Secrets>()
}

/// A text with the secrets masked.
pub fn shown<'a>(vm: &mut Vm, text: &'a str) -> Cow<'a, str> {
    secrets(vm).without(text)
}

/// The masked form of output to standard output or standard error; None if it contains no secrets. Also used for what Ruby code prints.
pub fn filter_output(vm: &mut Vm, bytes: &[u8]) -> Option<Vec<u8>> {
    match secrets(vm).without_bytes(bytes) {
        Cow::Borrowed(_) => None,
        Cow::Owned(masked) => Some(masked),
    }
}

/// `Chef::EncryptedDataBagItem.shown(text)`: the masked text, for what rchef's own Ruby source writes to files.
pub fn masked(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let text = vm.to_s_text(args.at(0))?;
    let masked = secrets(vm).without(&text).into_owned();
    Ok(Value::str(masked))
}

/// The function that registers a text.
type Keep = fn(&mut Secrets, &str, Named);

/// A traversal of a value.
struct Walk {
    /// The category of texts whose key does not give one.
    base: Named,
    /// Only register texts below a key that names a secret.
    named_only: bool,
    keep: Keep,
    found: Vec<(String, Named)>,
}

/// Registers the texts and numbers of a decrypted value: those below keys that name a secret are masked wherever they occur, plain words and names
/// only as whole values.
pub fn remember_decrypted(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, false, Secrets::add);
}

/// Registers the decrypted value of an item's key.
pub fn remember_decrypted_of(vm: &mut Vm, key: &str, value: &Value) {
    walk(vm, value, named(key), false, Secrets::add);
}

/// Registers a value that is nothing but a secret, such as a key.
pub fn remember(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Secret, false, Secrets::add);
}

/// Registers the value of a sensitive property. A plain word in it may also be the name of something else.
pub fn remember_property(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, false, Secrets::add);
}

/// Registers a resource's name that is a command or message with a secret.
pub fn remember_name(vm: &mut Vm, name: &Value) {
    walk(vm, name, Named::Other, false, |secrets, text, _| secrets.add_as(text, Grade::Everywhere));
}

/// Registers a sensitive resource's value that contains secrets among other text, such as a file's content.
pub fn remember_document(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, false, |secrets, text, named| match named {
        Named::Secret => secrets.add(text, named),
        _ => secrets.add_document(text),
    });
}

/// Registers the texts below keys that name a secret.
pub fn remember_named(vm: &mut Vm, value: &Value) {
    walk(vm, value, Named::Other, true, Secrets::add);
}

/// `Chef::EncryptedDataBagItem.remember(value)`: registers a secret that Ruby code obtained, and returns it.
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
            Value::Float(number) => number.get().to_string(),
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
            // everything below `passwords` is a password, whatever its key
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
