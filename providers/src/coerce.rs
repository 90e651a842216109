//! Conversions, defaults and tests that several resources share. A conversion gets the resource and the value, a computed default the resource.

use rchef_recipe::resource::property;
use rchef_ruby::{Args, ClassId, Error, Gc, Res, Symbol, Value, Vm, sym};

pub(crate) fn text(vm: &Vm, value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.get(vm).to_text().into_owned()),
        _ => None,
    }
}

/// An exception of `Chef::Exceptions`; RuntimeError if that class is not defined.
pub(crate) fn chef_error(vm: &mut Vm, class: &str, message: impl AsRef<str>) -> Error {
    let class = vm.class_named(&format!("Chef::Exceptions::{class}")).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, message)
}

/// A property of the resource, by its accessor.
pub(crate) fn read(vm: &mut Vm, resource: &Value, name: &str) -> Res {
    vm.call_name(resource, name, &[])
}

/// Sets a property by its accessor, as `name value` in a recipe does, also for nil.
pub(crate) fn write(vm: &mut Vm, resource: &Value, name: &str, value: Value) -> Res<()> {
    vm.call_name(resource, &format!("{name}="), &[value]).map(drop)
}

/// Sets an instance variable (the name includes `@`) without validation, as `initialize` does.
pub(crate) fn put(vm: &mut Vm, resource: &Value, ivar: &'static str, value: Value) {
    property::store(vm, resource, Symbol::intern_static(ivar), value);
}

/// An instance variable, nil if it is not set.
pub(crate) fn take(vm: &Vm, resource: &Value, ivar: &'static str) -> Value {
    vm.ivar_get(resource, Symbol::intern_static(ivar)).unwrap_or_default()
}

/// `node[key]`
pub(crate) fn node(vm: &mut Vm, resource: &Value, key: &str) -> Res {
    let node = read(vm, resource, "node")?;
    vm.call(&node, sym::AREF, &[Value::str(key)])
}

/// `node[key]` as a String.
pub(crate) fn node_text(vm: &mut Vm, resource: &Value, key: &str) -> Res<String> {
    let value = node(vm, resource, key)?;
    vm.to_s_text(&value)
}

/// Whether the node runs Windows.
pub(crate) fn windows(vm: &mut Vm, resource: &Value) -> Res<bool> {
    Ok(node_text(vm, resource, "platform_family")? == "windows")
}

/// `Chef::Config[key]`.
pub(crate) fn config(vm: &mut Vm, key: &'static str) -> Res {
    rchef_recipe::chef_class::setting(vm, key)
}

/// A Hash with Symbol keys.
pub(crate) fn symbol_hash(vm: &mut Vm, pairs: &[(&str, Value)]) -> Res {
    vm.new_hash(pairs.iter().map(|(key, value)| (Value::sym(key), value.clone())).collect())
}

/// An Array of Strings.
pub(crate) fn strings<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Value {
    Value::array(items.into_iter().map(Value::str).collect())
}

/// Calls the method on each element of an Array.
pub(crate) fn map(vm: &mut Vm, value: &Value, method: &'static str) -> Res {
    let items = vm.to_array(value)?;
    let mut out = Vec::with_capacity(items.len());
    for item in &items {
        out.push(vm.call(item, Symbol::intern_static(method), &[])?);
    }
    Ok(Value::array(out))
}

/// The elements, sorted by `<=>`.
pub(crate) fn sorted(vm: &mut Vm, value: &Value) -> Res {
    vm.call(value, Symbol::intern_static("sort"), &[])
}

/// Matches every node: for `provides(:x) { true }`.
pub(crate) fn anywhere(_vm: &mut Vm, _node: &Value) -> Res<bool> {
    Ok(true)
}

/// Splits at commas and the space around them, as `split(/\s*,\s*/)` does.
pub(crate) fn comma_list(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(',') {
        parts.push(rest[..at].trim_end_matches(|c: char| c.is_ascii_whitespace()).to_string());
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_whitespace());
    }
    parts.push(rest.to_string());
    while parts.last().is_some_and(String::is_empty) {
        parts.pop();
    }
    parts
}

/// A value of the name property: the elements of an Array, joined by commas.
pub(crate) fn resource_name(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match value {
        Value::Array(_) => vm.call_name(value, "join", &[Value::str(", ")]),
        _ => vm.call(value, sym::TO_S, &[]),
    }
}

pub(crate) fn to_i(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    vm.call(value, Symbol::intern_static("to_i"), &[])
}

/// `Integer(value)`
pub(crate) fn integer(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    vm.call_name(resource, "Integer", std::slice::from_ref(value))
}

/// `Array(value)`
pub(crate) fn to_array(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(Value::array(vm.to_array(value)?))
}

/// `Array(value)`, but false stays false.
pub(crate) fn array_or_false(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    if value.truthy() { to_array(vm, resource, value) } else { Ok(value.clone()) }
}

/// `Array(value).sort`
pub(crate) fn sorted_array(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let list = to_array(vm, resource, value)?;
    sorted(vm, &list)
}

pub(crate) fn sort(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    sorted(vm, value)
}

/// An Array, flattened.
pub(crate) fn flat_array(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    vm.call_name(&Value::array(vec![value.clone()]), "flatten", &[])
}

/// An instance of a subclass of Array (from node attributes) as a plain Array.
pub(crate) fn plain_array(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match value {
        Value::Array(_) => vm.call_name(value, "to_a", &[]),
        _ => Ok(value.clone()),
    }
}

/// Wraps a String in an Array.
pub(crate) fn string_in_array(_vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match value {
        Value::Str(_) => Value::array(vec![value.clone()]),
        _ => value.clone(),
    })
}

/// A String converted to a Symbol.
pub(crate) fn string_to_sym(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match value {
        Value::Str(_) => vm.call_name(value, "to_sym", &[]),
        _ => Ok(value.clone()),
    }
}

/// A String converted to a lower-case Symbol.
pub(crate) fn string_to_lower_sym(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    match value {
        Value::Str(_) => {
            let lower = downcase(vm, resource, value)?;
            vm.call_name(&lower, "to_sym", &[])
        }
        _ => Ok(value.clone()),
    }
}

pub(crate) fn downcase(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    vm.call_name(value, "downcase", &[])
}

/// `downcase` of a String.
pub(crate) fn downcase_string(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    match value {
        Value::Str(_) => downcase(vm, resource, value),
        _ => Ok(value.clone()),
    }
}

/// A comma-separated String as an Array.
pub(crate) fn split_commas(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match text(vm, value) {
        Some(text) => strings(comma_list(&text)),
        None => value.clone(),
    })
}

/// A comma-separated String or a list as an Array in lower case.
pub(crate) fn lower_list(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let list = split_commas(vm, resource, value)?;
    map(vm, &list, "downcase")
}

/// A command line as an Array of words.
pub(crate) fn shellsplit(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match text(vm, value) {
        Some(text) => match shell_words(&text) {
            Some(words) => Ok(strings(words)),
            None => {
                let shown = vm.inspect(value)?;
                Err(vm.argument_error(format!("Unmatched quote: {shown}")))
            }
        },
        None => Ok(value.clone()),
    }
}

/// The text with its first letter in upper case, if that is ASCII.
pub(crate) fn first_upper(text: &str) -> String {
    text.get(..1).map_or_else(|| text.to_string(), |first| first.to_ascii_uppercase() + &text[1..])
}

/// The words of a command line as `Shellwords.split` finds them; None for an unmatched quote.
pub(crate) fn shell_words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => words.extend(word.take()),
            '\'' => {
                let part = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => part.push(c),
                    }
                }
            }
            '"' => {
                let part = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => match chars.next()? {
                            c @ ('$' | '`' | '"' | '\\' | '\n') => part.push(c),
                            c => part.extend(['\\', c]),
                        },
                        c => part.push(c),
                    }
                }
            }
            '\\' => {
                let next = chars.next().unwrap_or('\\');
                word.get_or_insert_default().push(next);
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

/// An Array of names as a Hash of name to true.
pub(crate) fn true_set(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match value {
        Value::Array(list) => {
            let pairs = list.get(vm).items.iter().map(|item| (item.clone(), Value::True)).collect();
            vm.new_hash(pairs)
        }
        _ => Ok(value.clone()),
    }
}

/// Replaces false by nil.
pub(crate) fn false_to_nil(_vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(if matches!(value, Value::False) { Value::Nil } else { value.clone() })
}

/// Replaces `/` by `\`.
pub(crate) fn backslashes(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    vm.call_name(value, "tr", &[Value::str("/"), Value::str("\\")])
}

pub(crate) fn expand_path(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    file_method(vm, "expand_path", value)
}

fn file_method(vm: &mut Vm, method: &str, value: &Value) -> Res {
    match vm.class_named("File") {
        Some(file) => vm.call_name(&Value::Class(file), method, std::slice::from_ref(value)),
        None => Err(vm.runtime_error("File is not defined")),
    }
}

/// A URI unchanged, or a path made absolute.
pub(crate) fn uri_or_path(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    match text(vm, value) {
        Some(text) if !has_scheme(&text) => expand_path(vm, resource, value),
        _ => Ok(value.clone()),
    }
}

/// Whether text begins with `scheme://`.
pub(crate) fn has_scheme(text: &str) -> bool {
    text.find("://").is_some_and(|at| scheme_like(&text[..at]))
}

/// Whether the text can be a URI scheme.
pub(crate) fn scheme_like(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Any accepted form of `flush_cache` as a Hash with the keys `:before` and `:after`.
pub(crate) fn flush_cache(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let (before, after) = match value {
        Value::Hash(_) => return Ok(value.clone()),
        Value::Array(_) => return true_set(vm, resource, value),
        Value::True | Value::False => (value.clone(), value.clone()),
        Value::Sym(name) => match name.as_str() {
            "before" => (Value::True, Value::False),
            "after" => return symbol_hash(vm, &[("after", Value::True), ("before", Value::False)]),
            _ => return Ok(Value::Nil),
        },
        _ => return Ok(Value::Nil),
    };
    symbol_hash(vm, &[("before", before), ("after", after)])
}

pub(crate) fn no_flush(vm: &mut Vm, _resource: &Value) -> Res {
    symbol_hash(vm, &[("before", Value::False), ("after", Value::False)])
}

/// A Hash as a Mash.
pub(crate) fn to_mash(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match (value, vm.class_named("ChefUtils::Mash")) {
        (Value::Hash(_), Some(mash)) => vm.call(&Value::Class(mash), sym::NEW, std::slice::from_ref(value)),
        _ => Ok(value.clone()),
    }
}

/// The last component of the resource's name, taken as a path.
pub(crate) fn basename_of_name(vm: &mut Vm, resource: &Value) -> Res {
    let name = read(vm, resource, "name")?;
    file_method(vm, "basename", &name)
}

/// The last component of a path.
pub(crate) fn basename(vm: &mut Vm, path: &Value) -> Res {
    file_method(vm, "basename", path)
}

pub(crate) fn package_name(vm: &mut Vm, resource: &Value) -> Res {
    read(vm, resource, "package_name")
}

/// `node["root_group"]`
pub(crate) fn root_group(vm: &mut Vm, resource: &Value) -> Res {
    node(vm, resource, "root_group")
}

/// The owner of the brew program (`Chef::Mixin::Homebrew#find_homebrew_username`).
pub(crate) fn homebrew_owner(vm: &mut Vm, resource: &Value) -> Res {
    read(vm, resource, "find_homebrew_username")
}

/// The directory of the client's logs.
pub(crate) fn log_directory(vm: &mut Vm, resource: &Value) -> Res {
    let mac = node_text(vm, resource, "platform")? == "mac_os_x";
    Ok(Value::str(if mac { "/Library/Logs/Chef" } else { "/var/log/chef" }))
}

/// `value.between?(low, high)`
pub(crate) fn between(vm: &mut Vm, value: &Value, low: i64, high: i64) -> Res<bool> {
    Ok(vm.call_name(value, "between?", &[Value::Int(low), Value::Int(high)])?.truthy())
}

pub(crate) fn positive(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(vm.call_name(value, ">", &[Value::Int(0)])?.truthy())
}

pub(crate) fn not_negative(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(vm.call_name(value, ">=", &[Value::Int(0)])?.truthy())
}

pub(crate) fn nice(vm: &mut Vm, value: &Value) -> Res<bool> {
    between(vm, value, -20, 19)
}

/// Whether a value is a valid priority of the Windows task scheduler.
pub(crate) fn task_priority(vm: &mut Vm, value: &Value) -> Res<bool> {
    between(vm, value, 0, 10)
}

/// Whether every element of a list is one of these Strings.
pub(crate) fn all_strings_in(vm: &mut Vm, value: &Value, known: &[&str]) -> Res<bool> {
    let items = vm.to_array(value)?;
    Ok(items.iter().all(|item| text(vm, item).is_some_and(|text| known.contains(&text.as_str()))))
}

/// Whether a value is nil or a calendar date as YYYY-MM-DD.
pub(crate) fn date(vm: &mut Vm, value: &Value) -> Res<bool> {
    let Some(text) = text(vm, value) else { return Ok(value.is_nil()) };
    // Chef's pattern is not anchored at its start: a longer year passes it, and then fails as a date.
    let parts: Vec<&str> = text.trim_end_matches('\n').split('-').collect();
    let [year, month, day] = parts[..] else { return Ok(false) };
    if year.len() < 4 || month.len() != 2 || day.len() != 2 || !parts.concat().bytes().all(|b| b.is_ascii_digit()) {
        return Ok(false);
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    let (year, month, day) = (number(year), number(month), number(day));
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    Ok((1..=days).contains(&day))
}

/// Whether OpenSSL knows a cipher of this name.
pub(crate) fn known_cipher(vm: &mut Vm, value: &Value) -> Res<bool> {
    const MODES: [&str; 7] = ["cbc", "cfb", "cfb1", "cfb8", "ctr", "ecb", "ofb"];
    let Some(name) = text(vm, value) else { return Ok(false) };
    let name = name.to_ascii_lowercase();
    if matches!(
        name.as_str(),
        "des3"
            | "des-ede3"
            | "des-ede"
            | "aes128"
            | "aes192"
            | "aes256"
            | "camellia128"
            | "camellia192"
            | "camellia256"
            | "chacha20"
            | "chacha20-poly1305"
    ) {
        return Ok(true);
    }
    let Some((cipher, mode)) = name.rsplit_once('-') else { return Ok(false) };
    let gcm = matches!(mode, "gcm" | "ccm" | "ocb") && cipher.starts_with("aes-");
    let cipher_known = [
        "aes-128",
        "aes-192",
        "aes-256",
        "camellia-128",
        "camellia-192",
        "camellia-256",
        "aria-128",
        "aria-192",
        "aria-256",
        "des-ede",
        "des-ede3",
    ]
    .contains(&cipher);
    Ok(cipher_known && (gcm || MODES.contains(&mode)))
}

pub(crate) fn des3(_vm: &mut Vm, _resource: &Value) -> Res {
    Ok(Value::str("des3"))
}

/// Whether a value is an IPv4 address.
pub(crate) fn ipv4(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(text(vm, value).is_some_and(|text| text.parse::<std::net::Ipv4Addr>().is_ok()))
}

/// `IP_` followed by the address.
pub(crate) fn ip_port_name(vm: &mut Vm, resource: &Value) -> Res {
    let address = read(vm, resource, "ipv4_address")?;
    let address = vm.to_s_text(&address)?;
    Ok(Value::str(format!("IP_{address}")))
}

/// The Proc of a `DelayedEvaluator` (`lazy { }`); None for any other value.
fn lazy_proc(vm: &mut Vm, value: &Value) -> Option<Gc<rchef_ruby::RProc>> {
    let class = vm.class_named("Chef::DelayedEvaluator")?;
    if !vm.is_a(value, class) {
        return None;
    }
    match value {
        Value::Proc(proc) => Some(proc.clone()),
        _ => None,
    }
}

/// Whether a value is a `lazy { }`.
pub(crate) fn is_lazy(vm: &mut Vm, value: &Value) -> bool {
    lazy_proc(vm, value).is_some()
}

/// The value itself, or the result of a `lazy { }`, evaluated in the resource.
pub(crate) fn force(vm: &mut Vm, resource: &Value, value: Value) -> Res {
    match lazy_proc(vm, &value) {
        Some(proc) => {
            vm.call_block_as(rchef_ruby::Block::Proc(&proc), resource, None, Args::new(std::slice::from_ref(resource)))
        }
        None => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::{comma_list, first_upper, has_scheme, shell_words};

    #[test]
    fn words_of_a_command_line() {
        assert_eq!(
            shell_words("-a  'b c' \"d\\\"e\" f\\ g ''"),
            Some(["-a", "b c", "d\"e", "f g", ""].map(String::from).to_vec())
        );
        assert_eq!(shell_words("x 'y z"), None);
        assert_eq!(["low", "", "élan"].map(first_upper), ["Low", "", "élan"]);
        assert_eq!(shell_words("  ").map(|words| words.len()), Some(0));
    }

    #[test]
    fn lists_at_commas() {
        assert_eq!(comma_list("a , b,c"), ["a", "b", "c"]);
        assert_eq!(comma_list(",a,,"), ["", "a"]);
        assert!(comma_list("").is_empty());
    }

    #[test]
    fn schemes() {
        assert!(has_scheme("https://x") && has_scheme("svn+ssh://x"));
        assert!(!has_scheme("/a://b") && !has_scheme("://"));
    }
}
