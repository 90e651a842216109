use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "registry_key",
    class: "RegistryKey",
    doc: "Keeps keys and values of the registry (Windows).",
    provides: &[Provides::when("registry_key", coerce::anywhere)],
    actions: &["create", "create_if_missing", "delete", "delete_key"],
    default_action: &["create"],
    properties: &[
        prop("key", &[Str]).name_property().doc("The key's path with its hive."),
        prop("values", &[Hash, Array])
            .coerce(scrub_values)
            .default_empty(Array)
            .callbacks(&[
                ("Missing name key in RegistryKey values hash", has_names),
                ("Bad key in RegistryKey values hash. Should be one of: [:name, :type, :data]", has_known_keys),
                ("Type of name should be a string", has_string_names),
                ("Type of type should be a symbol", has_symbol_types),
            ])
            .doc("Values: Hashes of `:name`, `:type` and `:data`."),
        prop("recursive", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .doc("Make missing parents; delete with what is below."),
        prop("architecture", &[Sym])
            .default(LitSym("machine"))
            .equal_to(&[LitSym("machine"), LitSym("x86_64"), LitSym("i386")])
            .doc("View of the registry."),
        prop("only_record_changes", &[TRUE_CLASS, FALSE_CLASS])
            .default(True)
            .deprecated("only changed values are always what is reported")
            .since("18.7.3")
            .doc("Report only values that change."),
    ],
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("unscrubbed_values", unscrubbed_values, 0)];

/// Values as Hashes with Symbol keys, the data of binary and numeric types replaced by a digest; `unscrubbed_values` has the data themselves.
fn scrub_values(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let items = match value {
        Value::Hash(_) => vec![value.clone()],
        Value::Array(list) => list.get(vm).items.clone(),
        _ => return Err(vm.argument_error("Bad type for RegistryKey resource, use Hash or Array")),
    };
    let (mut plain, mut scrubbed) = (Vec::new(), Vec::new());
    for item in &items {
        let Value::Hash(hash) = item else {
            return Err(vm.argument_error("Bad type for RegistryKey resource, use Hash or Array"));
        };
        let mut pairs = Vec::new();
        for (key, value) in hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>() {
            pairs.push((coerce::string_to_sym(vm, resource, &key)?, value));
        }
        plain.push(vm.new_hash(pairs.clone())?);
        let binary = pairs.iter().any(|(key, value)| {
            matches!((key, value), (Value::Sym(key), Value::Sym(kind)) if key.as_str() == "type"
                && matches!(kind.as_str(), "binary" | "dword" | "dword_big_endian" | "qword"))
        });
        if binary {
            for (key, value) in &mut pairs {
                if matches!(key, Value::Sym(key) if key.as_str() == "data") {
                    *value = digest(vm, value)?;
                }
            }
        }
        scrubbed.push(vm.new_hash(pairs)?);
    }
    coerce::put(vm, resource, "@unscrubbed_values", Value::array(plain));
    Ok(Value::array(scrubbed))
}

fn digest(vm: &mut Vm, data: &Value) -> Res {
    let text = Value::Str(vm.to_s(data)?);
    vm.call_name(&Value::Nil, "require", &[Value::str("digest")])?;
    match vm.class_named("Digest::SHA256") {
        Some(class) => vm.call_name(&Value::Class(class), "hexdigest", &[text]),
        None => Err(vm.not_implemented("Digest::SHA256")),
    }
}

/// The values as given, with Symbol keys.
fn unscrubbed_values(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    let values = coerce::take(vm, this, "@unscrubbed_values");
    Ok(if values.is_nil() { Value::array(Vec::new()) } else { values })
}

fn all(vm: &mut Vm, values: &Value, test: impl Fn(&Vm, &rchef_ruby::Gc<rchef_ruby::RHash>) -> bool) -> Res<bool> {
    let items = vm.to_array(values)?;
    Ok(items.iter().all(|item| matches!(item, Value::Hash(hash) if test(vm, hash))))
}
fn key(vm: &Vm, hash: &rchef_ruby::Gc<rchef_ruby::RHash>, name: &'static str) -> Option<Value> {
    vm.hash_get_sym(hash, rchef_ruby::Symbol::intern_static(name))
}
fn has_names(vm: &mut Vm, values: &Value) -> Res<bool> {
    all(vm, values, |vm, hash| key(vm, hash, "name").is_some())
}
fn has_known_keys(vm: &mut Vm, values: &Value) -> Res<bool> {
    all(vm, values, |vm, hash| {
        hash.get(vm)
            .iter()
            .all(|(key, _)| matches!(key, Value::Sym(key) if matches!(key.as_str(), "name" | "type" | "data")))
    })
}
fn has_string_names(vm: &mut Vm, values: &Value) -> Res<bool> {
    all(vm, values, |vm, hash| matches!(key(vm, hash, "name"), Some(Value::Str(_))))
}
fn has_symbol_types(vm: &mut Vm, values: &Value) -> Res<bool> {
    all(vm, values, |vm, hash| matches!(key(vm, hash, "type"), None | Some(Value::Nil | Value::False | Value::Sym(_))))
}
