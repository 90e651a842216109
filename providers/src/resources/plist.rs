use crate::coerce;
use crate::prelude::*;
use crate::providers::support::failure;
use rchef_ruby::{Args, MethodDef, def, opt};

pub static DEF: ResourceDef = ResourceDef {
    name: "plist",
    class: "PlistResource",
    doc: "Sets values in property lists (macOS).",
    introduced: "16.0",
    provides: &[Provides::always("plist")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("entry", &[Str]).doc("The key."),
        prop("value", &[TRUE_CLASS, FALSE_CLASS, Str, Int, Float, Hash]).doc("The value."),
        prop("encoding", &[Str]).default(LitStr("binary")).doc("Format of the file."),
        prop("owner", &[Str]).default(LitStr("root")).doc("Owner of the file."),
        prop("group", &[Str]).default(LitStr("wheel")).doc("Group of the file."),
        prop("mode", &[Str, Int]).doc("Mode of the file."),
    ],
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    def("convert_to_data_type_from_string", converted, 2),
    def("type_to_commandline_string", type_name, 1),
    opt("plistbuddy_command", plistbuddy_command, 3, 4),
];

/// A value that `defaults read` tells, in the type that `defaults read-type` tells.
fn converted(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (kind, value) = (args.at(0), args.at(1));
    if kind.is_nil() {
        return Ok(Value::str(""));
    }
    match coerce::text(vm, kind).as_deref() {
        Some("boolean") => {
            let number = vm.call_name(value, "to_i", &[])?;
            Ok(Value::bool(matches!(number, Value::Int(1))))
        }
        Some("integer") => vm.call_name(value, "to_i", &[]),
        Some("float") => vm.call_name(value, "to_f", &[]),
        Some("string" | "dictionary") => Ok(value.clone()),
        _ => {
            let class = vm.class_name_of(kind);
            Err(failure(vm, "RuntimeError", format!("Unknown or unsupported data type: {class}")))
        }
    }
}

/// The name that PlistBuddy has for the type of a value.
fn buddy_type(vm: &mut Vm, value: &Value) -> Res<&'static str> {
    Ok(match value {
        Value::Array(_) => "array",
        Value::True | Value::False => "bool",
        Value::Hash(_) => "dict",
        Value::Str(_) => "string",
        Value::Float(_) => "float",
        other if vm.is_a(other, rchef_ruby::ClassId::INTEGER) => "integer",
        other => {
            let (shown, class) = (vm.to_s_text(other)?, vm.class_name_of(other));
            return Err(failure(vm, "RuntimeError", format!("Unknown or unsupported data type: {shown} of {class}")));
        }
    })
}

fn type_name(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    buddy_type(vm, args.at(0)).map(Value::str)
}

/// The command of PlistBuddy for a subcommand, an entry, a file and a value: `add` tells the type of the value, `set` the value itself.
fn plistbuddy_command(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let [verb, entry, path] = [args.at(0), args.at(1), args.at(2)];
    let (verb, entry, path) = (vm.to_s_text(verb)?, vm.to_s_text(entry)?, vm.to_s_text(path)?);
    let value = args.at(3);
    let mut words = vec![format!("\"{entry}\"")];
    let told = |vm: &mut Vm, value: &Value| match verb.as_str() {
        "add" => buddy_type(vm, value).map(str::to_string),
        _ => vm.to_s_text(value),
    };
    let separator = match value {
        _ if !matches!(verb.as_str(), "add" | "set") => "",
        Value::Hash(pairs) => {
            let pairs: Vec<_> = pairs.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            for (key, value) in pairs {
                words.push(format!("{} {}", vm.to_s_text(&key)?, told(vm, &value)?));
            }
            ":"
        }
        value => {
            words.push(told(vm, value)?);
            " "
        }
    };
    let (told, verb) = (words.join(separator), coerce::first_upper(&verb));
    Ok(Value::str(format!("/usr/libexec/PlistBuddy -c '{verb} :{}' \"{path}\"", told.trim())))
}
