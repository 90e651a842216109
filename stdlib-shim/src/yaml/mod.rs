//! `psych` 4.0 (`YAML`): reads and writes YAML 1.1 like MRI, with libyaml's layout.
//!
//! Modules: [`read`] (libyaml's events to documents), [`scalar`] (implicit types), [`load`] (documents to values), [`dump`] (values to
//! documents), [`emit`] (documents to text). The public Ruby methods are in `ruby/psych`. Its visitors have the rules of
//! [`load`] and [`dump`] a second time, as methods that programs replace: they read and write only once a program has done so.
//! Errors: `Psych::SyntaxError` with libyaml's messages, `Psych::BadAlias`, `Psych::DisallowedClass`.

mod dump;
mod emit;
mod load;
mod nodes;
mod read;
mod scalar;
mod tree;

use rchef_ruby::embed::library::run_embedded;
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Args, ClassId, Error, MethodDef, Res, Symbol, Value, Vm, def};
use rchef_yaml::Failure;
use read::Reader;

/// Maximum memory per byte of text while a document is read: the smallest nodes have two bytes of text.
const READING: usize = 64;

static NATIVE: &[MethodDef] = &[
    def("__load", load_function, 2),
    def("__dump", dump_function, 2),
    def("__version", version_function, 1),
    def("__nodes", nodes::nodes, 2),
    def("__events", nodes::events, 2),
    def("__to_ruby", nodes::to_ruby, 2),
    def("__emit", nodes::emit, 2),
    def("__scalar", scalar_function, 1),
    def("__build_exception", build_exception, 2),
];

/// Defines Psych: first the native methods, then the Ruby part.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    init_parser(vm)?;
    run_embedded(vm, embedded!("ruby/psych/psych.rb"), "psych")
}
/// The native half by itself (`psych.so`), for a gem that brings the Ruby half.
pub(crate) fn init_native(vm: &mut Vm) -> Res<()> {
    init_parser(vm)?;
    run_embedded(vm, embedded!("ruby/psych/native_emitter.rb"), "psych")?;
    run_embedded(vm, embedded!("ruby/psych/native_visitors.rb"), "psych")
}
fn init_parser(vm: &mut Vm) -> Res<()> {
    let psych = vm.define_module(ClassId::OBJECT, "Psych");
    vm.define_singleton_methods(psych, NATIVE);
    run_embedded(vm, embedded!("ruby/psych/native.rb"), "psych")
}

/// A constant by its path; nil if it does not exist.
fn constant(vm: &Vm, path: &str) -> Value {
    vm.class_named(path).map(Value::Class).unwrap_or_default()
}
/// An exception created by the `new` of its class.
fn raise(vm: &mut Vm, class: &str, arguments: &[Value]) -> Error {
    let class = constant(vm, class);
    let made = match vm.call_name(&class, "new", arguments) {
        Ok(made) => made,
        Err(error) => return error,
    };
    let main = vm.main.clone();
    match vm.call_name(&main, "raise", &[made]) {
        Ok(_) => vm.runtime_error("raise returned"),
        Err(error) => error,
    }
}
fn failure(vm: &mut Vm, failure: Failure, filename: Option<Value>) -> Error {
    let arguments = [
        filename.unwrap_or_default(),
        Value::len(failure.line),
        Value::len(failure.column),
        Value::len(failure.offset),
        Value::str(failure.problem),
        failure.context.map_or(Value::Nil, Value::str),
    ];
    raise(vm, "Psych::SyntaxError", &arguments)
}

/// How much libyaml asks an IO for at a time.
const READ: i64 = 16_384;

/// The text of a String or an IO-like object, in UTF-8. An IO is read in parts, whose encoding is its external one.
fn source(vm: &mut Vm, given: &Value) -> Res<Vec<u8>> {
    if matches!(given, Value::Str(_)) || !vm.respond_to(given, Symbol::intern_static("read"), false)? {
        let string = vm.to_str(given)?;
        let data = string.get(vm);
        return Ok(read::decode(data.bytes(), data.encoding()));
    }
    let named = vm.call_name(given, "external_encoding", &[])?;
    let encoding = match if named.is_nil() { String::new() } else { vm.to_s_text(&named)? }.as_str() {
        "UTF-16LE" => Encoding::Utf16Le,
        "UTF-16BE" => Encoding::Utf16Be,
        _ => Encoding::Binary,
    };
    let mut bytes = Vec::new();
    loop {
        let part = vm.call_name(given, "read", &[Value::Int(READ)])?;
        if part.is_nil() {
            break;
        }
        let part = vm.to_str(&part)?;
        let part = part.get(vm).bytes();
        if part.is_empty() {
            break;
        }
        bytes.extend_from_slice(part);
    }
    Ok(read::decode(&bytes, encoding))
}
fn option(vm: &Vm, options: &Value, name: &'static str) -> Option<Value> {
    match options {
        Value::Hash(hash) => vm.hash_get_sym(hash, Symbol::intern_static(name)).filter(Value::truthy),
        _ => None,
    }
}
fn items(vm: &mut Vm, value: Option<Value>) -> Res<Option<Vec<Value>>> {
    match value {
        None => Ok(None),
        Some(value) => {
            let list = vm.to_ary(&value)?;
            Ok(Some(list.get(vm).items.clone()))
        }
    }
}
fn names(vm: &mut Vm, value: Option<Value>) -> Res<Option<Vec<String>>> {
    match items(vm, value)? {
        None => Ok(None),
        Some(items) => items.iter().map(|item| vm.to_s_text(item)).collect::<Res<_>>().map(Some),
    }
}
fn load_options(vm: &mut Vm, options: &Value) -> Res<load::Options> {
    let classes = option(vm, options, "classes");
    let symbols = option(vm, options, "symbols");
    Ok(load::Options {
        classes: names(vm, classes)?,
        symbols: names(vm, symbols)?.unwrap_or_default(),
        aliases: option(vm, options, "aliases").is_some(),
        symbolize: option(vm, options, "symbolize_names").is_some(),
        freeze: option(vm, options, "freeze").is_some(),
    })
}

/// `__load(source, options)`: the first document, or with `all:` an Array of all documents (empty if they are yielded to a block instead).
/// `fallback:` is the result if there is no document.
fn load_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let options = args.at(1);
    let filename = option(vm, options, "filename");
    let text = source(vm, args.at(0))?;
    let chosen = load_options(vm, options)?;
    let all = option(vm, options, "all").is_some();
    vm.check_left(text.len().saturating_mul(READING))?;
    let mut reader = Reader::new(&text);
    let mut values = Vec::new();
    loop {
        let document = reader.document().map_err(|error| failure(vm, error, filename.clone()))?;
        let Some(document) = document else { break };
        let value = load::load(vm, &document, &chosen)?;
        if !all {
            return Ok(value);
        }
        match args.block {
            Some(block) => {
                vm.yield1(block, value)?;
            }
            None => values.push(value),
        }
    }
    if all && (!values.is_empty() || args.block.is_some()) {
        return Ok(Value::array(values));
    }
    match options {
        Value::Hash(hash) => Ok(vm.hash_get_sym(hash, Symbol::intern_static("fallback")).unwrap_or_default()),
        _ => Ok(Value::Nil),
    }
}

/// `__build_exception(class, message)`: creates an exception without calling `initialize`, which may have other parameters.
fn build_exception(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match (args.at(0), args.at(1)) {
        (Value::Class(class), Value::Str(text)) => {
            let text = text.get(vm).to_text().into_owned();
            Ok(vm.new_exception(*class, text))
        }
        (class, message) => vm.call_name(class, "exception", std::slice::from_ref(message)),
    }
}

fn integer(vm: &mut Vm, options: &Value, name: &'static str) -> Res<Option<i64>> {
    option(vm, options, name).map(|value| vm.to_int(&value)).transpose()
}
fn version(vm: &mut Vm, options: &Value) -> Res<Option<(i64, i64)>> {
    let Some(version) = option(vm, options, "version") else {
        let named =
            matches!(options, Value::Hash(hash) if vm.hash_get_sym(hash, Symbol::intern_static("version")).is_some());
        return Ok((named || option(vm, options, "header").is_some()).then_some((1, 1)));
    };
    let parts: Vec<i64> = match &version {
        Value::Str(text) => text.get(vm).to_text().split('.').map(|part| part.parse().unwrap_or(0)).collect(),
        Value::Array(list) => list.get(vm).items.clone().iter().map(|part| vm.to_int(part)).collect::<Res<_>>()?,
        _ => vec![1, 1],
    };
    Ok(Some((parts.first().copied().unwrap_or(1), parts.get(1).copied().unwrap_or(1))))
}
/// `__version(options)`: the version of YAML that they ask for, as major and minor number; empty for none.
fn version_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let found = version(vm, args.at(0))?;
    Ok(Value::array(found.into_iter().flat_map(|(major, minor)| [Value::Int(major), Value::Int(minor)]).collect()))
}
fn layout(vm: &mut Vm, options: &Value) -> Res<emit::Layout> {
    Ok(emit::Layout {
        indent: integer(vm, options, "indentation")?.unwrap_or(2),
        width: integer(vm, options, "line_width")?.unwrap_or(0),
        canonical: option(vm, options, "canonical").is_some(),
    })
}

/// `__dump(values, options)`: the text of the values, each in a document of its own.
fn dump_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let options = args.at(1);
    let restricted = match option(vm, options, "restricted") {
        None => None,
        Some(_) => {
            let classes = option(vm, options, "permitted_classes");
            let symbols = option(vm, options, "permitted_symbols");
            Some(dump::Restriction {
                classes: items(vm, classes)?.unwrap_or_default(),
                symbols: items(vm, symbols)?.unwrap_or_default(),
                aliases: option(vm, options, "aliases").is_some(),
            })
        }
    };
    let line_width = match integer(vm, options, "line_width")? {
        Some(width) if width < -1 => {
            return Err(
                vm.argument_error(format!("Invalid line_width {width}, must be non-negative or -1 for unlimited."))
            );
        }
        width => width.filter(|width| *width >= 0),
    };
    let chosen = dump::Options { restricted, line_width };
    let (version, layout) = (version(vm, options)?, layout(vm, options)?);
    let values = items(vm, Some(args.at(0).clone()))?.unwrap_or_default();
    let mut dumper = dump::Dumper::new(vm, &chosen);
    for value in &values {
        dumper.document(vm, value, version)?;
    }
    Ok(Value::str(emit::emit(&dumper.finish(), layout)))
}

/// `__scalar(text)`: the value of a plain scalar.
fn scalar_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = vm.to_text(args.at(0))?;
    let mut document = tree::Document::default();
    document.scalar(text, None, true, false, tree::Style::Plain);
    load::load(vm, &document, &load::Options { aliases: true, ..load::Options::default() })
}
