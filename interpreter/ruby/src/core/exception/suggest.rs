//! "Did you mean?", as did_you_mean 1.6 (Ruby 3.1) appends it to messages.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::ExceptionData;
use crate::method::Visibility;
use crate::value::Value;
use rchef_text::distance::correct;

const RESERVED: &[&str] = &[
    "BEGIN",
    "END",
    "alias",
    "and",
    "begin",
    "break",
    "case",
    "class",
    "def",
    "defined?",
    "do",
    "else",
    "elsif",
    "end",
    "ensure",
    "false",
    "for",
    "module",
    "next",
    "nil",
    "not",
    "redo",
    "rescue",
    "retry",
    "return",
    "self",
    "super",
    "then",
    "true",
    "undef",
    "unless",
    "until",
    "when",
    "while",
    "yield",
    "__LINE__",
    "__FILE__",
    "__ENCODING__",
];
const RESERVED_CALLS: &[&str] = &[
    "alias", "case", "def", "defined?", "do", "else", "elsif", "end", "ensure", "for", "rescue", "super", "undef",
    "unless", "until", "when", "while", "yield",
];

/// The text to append to a message; empty if there is no similar name.
pub(super) fn suggestion(vm: &mut Vm, exception: &Value, message: &str) -> String {
    let class = vm.real_class_of(exception);
    let Some(data) = vm.data::<ExceptionData>(exception).cloned() else { return String::new() };
    let found = match class {
        ClassId::NO_METHOD_ERROR => methods(vm, &data),
        ClassId::NAME_ERROR if message.contains("uninitialized constant") => constants(vm, &data, message),
        ClassId::NAME_ERROR
            if message.contains("undefined local variable or method")
                || message.contains("undefined method")
                || message.contains("uninitialized class variable") =>
        {
            variables(vm, &data)
        }
        ClassId::KEY_ERROR | ClassId::NO_MATCHING_PATTERN_KEY_ERROR => keys(vm, &data),
        ClassId::LOAD_ERROR => features(vm, &data),
        _ => Vec::new(),
    };
    if found.is_empty() {
        return String::new();
    }
    let named = class == ClassId::NO_METHOD_ERROR
        || class == ClassId::NAME_ERROR && !message.contains("uninitialized constant");
    match formatted(vm, &found, named) {
        Some(text) => text,
        None => format!("\nDid you mean?  {}", found.join("\n               ")),
    }
}
/// What the formatter that DidYouMean was given makes of similar names, which are Symbols where methods and variables are meant; None if it has
/// its own.
fn formatted(vm: &mut Vm, found: &[String], named: bool) -> Option<String> {
    let module = vm.const_own(ClassId::OBJECT, Symbol::intern_static("DidYouMean"))?.value.clone();
    let Value::Class(id) = module else { return None };
    // a gem of DidYouMean keeps it elsewhere than the engine's own
    let formatter = vm.call_name(&module, "formatter", &[]).ok()?;
    let own = vm.const_own(id, Symbol::intern_static("Formatter")).map(|found| found.value.clone());
    if own.is_some_and(|own| own.same(&formatter)) {
        return None;
    }
    let names = found.iter().map(|name| if named { Value::sym(name) } else { Value::str(name) }).collect();
    let text = vm.call_name(&formatter, "message_for", &[Value::array(names)]).ok()?;
    vm.to_s_text(&text).ok()
}

fn pick(input: &str, dictionary: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for index in correct(input, dictionary) {
        let word = dictionary[index].to_string();
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

fn method_names(vm: &mut Vm, receiver: &Value, private: bool) -> Vec<Symbol> {
    if !vm.is_a(receiver, ClassId::OBJECT) {
        return Vec::new();
    }
    let mro = vm.class(vm.class_of(receiver)).mro.clone();
    vm.method_names(&mro, |visibility| private || visibility != Visibility::Private)
}

fn methods(vm: &mut Vm, data: &ExceptionData) -> Vec<String> {
    let Value::Sym(name) = data.detail else { return Vec::new() };
    if data.receiver.is_undef() || data.receiver.is_nil() {
        return Vec::new();
    }
    let name = name.as_str();
    let names = method_names(vm, &data.receiver, data.private_call);
    let mut dictionary: Vec<&str> = if data.private_call { RESERVED_CALLS.to_vec() } else { Vec::new() };
    dictionary.extend(names.iter().map(|name| name.as_str()));
    pick(name, &dictionary)
}

fn variables(vm: &mut Vm, data: &ExceptionData) -> Vec<String> {
    let Value::Sym(name) = data.detail else { return Vec::new() };
    if data.receiver.is_undef() {
        return Vec::new();
    }
    let name = name.as_str().replace('@', "");
    let methods = method_names(vm, &data.receiver, true);
    let ivars = vm.ivar_names(&data.receiver);
    let class = match &data.receiver {
        Value::Class(id) => *id,
        other => vm.real_class_of(other),
    };
    let mut cvars = Vec::new();
    for ancestor in vm.class(class).mro.iter() {
        cvars.extend(vm.class(*ancestor).cvars.iter().map(|(name, _)| *name));
    }
    let locals = data.locals.clone().unwrap_or_default();
    let mut dictionary: Vec<&str> = RESERVED.to_vec();
    for list in [&locals, &methods, &ivars, &cvars] {
        dictionary.extend(list.iter().map(|name| name.as_str()));
    }
    let mut found = pick(&name, &dictionary);
    if name == "foo" {
        found.retain(|word| word != "fork" && word != "for");
    }
    found
}

fn constants(vm: &mut Vm, data: &ExceptionData, message: &str) -> Vec<String> {
    let Value::Sym(name) = data.detail else { return Vec::new() };
    let Value::Class(receiver) = data.receiver else { return Vec::new() };
    let mut scopes = vec![ClassId::OBJECT];
    let path = vm.class_name(receiver);
    let mut at = String::new();
    for part in path.split("::") {
        at = if at.is_empty() { part.to_string() } else { format!("{at}::{part}") };
        match vm.class_named(&at) {
            Some(id) if !scopes.contains(&id) => scopes.push(id),
            _ => {}
        }
    }
    let mut full = Vec::new();
    let mut short = Vec::new();
    for scope in scopes {
        let prefix = if scope == ClassId::OBJECT { String::new() } else { format!("{}::", vm.class_name(scope)) };
        let mut tables = Vec::new();
        for ancestor in vm.class(scope).mro.iter() {
            if *ancestor == ClassId::OBJECT && scope != ClassId::OBJECT {
                break;
            }
            tables.push(*ancestor);
        }
        for table in tables {
            for (name, constant) in &vm.class(table).consts {
                if !constant.private {
                    full.push(format!("{prefix}{name}"));
                    short.push(name.as_str());
                }
            }
        }
    }
    let mut found = Vec::new();
    for index in correct(name.as_str(), &short) {
        let word = full[index].clone();
        if !message.contains(&word) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

fn keys(vm: &mut Vm, data: &ExceptionData) -> Vec<String> {
    let Value::Hash(hash) = &data.receiver else { return Vec::new() };
    let text_of = |vm: &Vm, value: &Value| match value {
        Value::Sym(name) => Some(name.as_str().to_string()),
        Value::Str(text) => Some(text.get(vm).to_text().into_owned()),
        _ => None,
    };
    let Some(wanted) = text_of(vm, &data.detail) else { return Vec::new() };
    let pairs: Vec<(Value, String)> =
        hash.get(vm).iter().filter_map(|(key, _)| Some((key.clone(), text_of(vm, key)?))).collect();
    let mut chosen: Vec<Value> = match &data.detail {
        Value::Str(_) => pairs.iter().filter(|(_, text)| *text == wanted).map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    };
    if chosen.is_empty() {
        let dictionary: Vec<&str> = pairs.iter().map(|(_, text)| text.as_str()).collect();
        chosen = correct(&wanted, &dictionary).into_iter().map(|index| pairs[index].0.clone()).collect();
    }
    chosen.iter().filter_map(|key| vm.inspect(key).ok()).collect()
}

fn features(vm: &mut Vm, data: &ExceptionData) -> Vec<String> {
    let Value::Str(path) = &data.detail else { return Vec::new() };
    let wanted = path.get(vm).to_text().into_owned();
    if wanted.contains('/') {
        return Vec::new();
    }
    let mut known: Vec<&str> = vm.libraries.names().filter(|name| !name.contains('/')).collect();
    known.sort_unstable();
    known.dedup();
    pick(&wanted, &known)
}
