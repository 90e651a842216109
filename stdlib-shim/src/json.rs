//! `json` 2.6.1, the version in Ruby 3.1.

mod generate;
mod parse;

use rchef_ruby::embed::library::run_embedded;
use rchef_ruby::{Args, ClassId, Error, MethodDef, Res, Symbol, Unwind, Value, Vm, any, def, opt, sym};

static FUNCTIONS: &[MethodDef] = &[
    opt("parse", parse_function, 1, 2),
    opt("parse!", parse_bang, 1, 2),
    opt("generate", generate::generate, 1, 2),
    opt("unparse", generate::generate, 1, 2),
    opt("fast_generate", generate::fast_generate, 1, 2),
    opt("fast_unparse", generate::fast_generate, 1, 2),
    opt("pretty_generate", generate::pretty_generate, 1, 2),
    opt("pretty_unparse", generate::pretty_generate, 1, 2),
    opt("dump", dump, 1, 3),
    opt("load", load, 1, 3),
    opt("restore", load, 1, 3),
    opt("load_file", load_file, 1, 2),
    opt("load_file!", load_file, 1, 2),
];
static SINGLETON: &[MethodDef] = &[opt("[]", aref, 1, 2), def("state", state, 0)];
static CORE: &[MethodDef] = &[any("to_json", generate::to_json)];

/// An exception of JSON, by the name of its class.
pub(crate) fn error(vm: &mut Vm, name: &'static str, text: impl AsRef<str>) -> Error {
    let json = vm.define_module(ClassId::OBJECT, "JSON");
    let class = match vm.const_own(json, Symbol::intern_static(name)).map(|constant| constant.value.clone()) {
        Some(Value::Class(class)) => class,
        _ => ClassId::STANDARD_ERROR,
    };
    vm.error(class, text)
}

/// `JSON.parse` with default options.
///
/// # Errors
/// JSON::ParserError, JSON::NestingError.
pub fn plain(vm: &mut Vm, text: &[u8]) -> Res {
    parse::parse(vm, text, &parse::Options::strict())
}

/// Defines JSON and the `to_json` methods.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let json = vm.define_module(ClassId::OBJECT, "JSON");
    vm.define_module_functions(json, FUNCTIONS);
    vm.define_singleton_methods(json, SINGLETON);
    let base = vm.define_class(json, "JSONError", ClassId::STANDARD_ERROR);
    let parser_error = vm.define_class(json, "ParserError", base);
    vm.define_class(json, "NestingError", parser_error);
    let generator_error = vm.define_class(json, "GeneratorError", base);
    vm.define_class(json, "CircularDatastructure", parser_error);
    vm.const_set(json, Symbol::intern_static("UnparserError"), Value::Class(generator_error));
    vm.define_class(json, "MissingUnicodeSupport", base);
    for (name, value) in [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("MinusInfinity", f64::NEG_INFINITY)] {
        vm.const_set(json, Symbol::intern_static(name), Value::float(value));
    }
    let version = Value::str("2.6.1");
    vm.freeze(&version);
    vm.const_set(json, Symbol::intern_static("VERSION"), version);
    let generator = generate::define_state(vm, json);
    let methods = vm.define_module(generator, "GeneratorMethods");
    for (name, class) in generate::OWN.into_iter().chain([("Object", ClassId::OBJECT)]) {
        let module = vm.define_module(methods, name);
        vm.define_methods(module, CORE);
        vm.include_module(class, module);
    }
    vm.define_methods(ClassId::KERNEL, KERNEL);
    run_embedded(vm, embedded!("ruby/json.rb"), "json")
}

static KERNEL: &[MethodDef] =
    &[opt("JSON", aref, 1, 2).private(), any("j", print_json).private(), any("jj", print_pretty).private()];

fn print_json(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    print_by(vm, this, args, generate::generate)
}
fn print_pretty(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    print_by(vm, this, args, generate::pretty_generate)
}
fn print_by(vm: &mut Vm, this: &Value, args: Args<'_>, write: fn(&mut Vm, &Value, Args<'_>) -> Res) -> Res {
    for item in args.pos {
        let text = write(vm, this, Args::new(std::slice::from_ref(item)))?;
        let main = vm.main.clone();
        vm.call_name(&main, "puts", &[text])?;
    }
    Ok(Value::Nil)
}
fn state(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(vm.class_named("JSON::Ext::Generator::State").map(Value::Class).unwrap_or_default())
}

fn parse_text(vm: &mut Vm, source: &Value, options: &Value, defaults: parse::Options) -> Res {
    let text = match source {
        Value::Str(text) => text.clone(),
        other => vm.to_str(other)?,
    };
    let options = parse::Options::read(vm, options, defaults)?;
    let plain = matches!(text.get(vm).encoding().name(), "UTF-8" | "US-ASCII" | "ASCII-8BIT" | "BINARY");
    let text = if plain {
        text
    } else {
        let converted = vm.call_name(&Value::Str(text), "encode", &[Value::str("UTF-8")])?;
        vm.to_str(&converted)?
    };
    let bytes = text.get(vm).bytes().to_vec();
    parse::parse(vm, &bytes, &options)
}
fn parse_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    parse_text(vm, args.at(0), args.at(1), parse::Options::strict())
}
fn parse_bang(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    parse_text(
        vm,
        args.at(0),
        args.at(1),
        parse::Options { max_nesting: 0, allow_nan: true, ..parse::Options::strict() },
    )
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match vm.check_str(args.at(0))? {
        Some(text) => parse_text(vm, &Value::Str(text), args.at(1), parse::Options::strict()),
        None => generate::generate(vm, this, args),
    }
}
/// The Hash of default options of `JSON.load` or `JSON.dump`.
fn default_options(vm: &mut Vm, name: &str) -> Res {
    let json = Value::Class(vm.define_module(ClassId::OBJECT, "JSON"));
    vm.call_name(&json, name, &[])
}
fn load(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut source = args.at(0).clone();
    for name in ["to_str", "to_io", "read"] {
        if matches!(source, Value::Str(_) | Value::Nil) {
            break;
        }
        if vm.respond_to(&source, Symbol::intern_static(name), false)? {
            source = vm.call_name(&source, name, &[])?;
        }
    }
    let empty = match &source {
        Value::Nil => true,
        Value::Str(text) => text.get(vm).bytes().is_empty(),
        other => vm.call_name(other, "empty?", &[])?.truthy(),
    };
    let (positional, keywords) = args.split();
    let options = match (positional.get(2), keywords) {
        (_, Some(keywords)) => Value::Hash(keywords.clone()),
        (Some(options), None) => options.clone(),
        _ => Value::Nil,
    };
    let defaults = default_options(vm, "load_default_options")?;
    if empty {
        let blank = match option(vm, &options, "allow_blank")? {
            Some(given) => given,
            None => option(vm, &defaults, "allow_blank")?.unwrap_or_default(),
        };
        if blank.truthy() {
            return Ok(Value::Nil);
        }
    }
    let defaults = parse::Options::read(vm, &defaults, parse::Options::strict())?;
    let made = parse_text(vm, &source, &options, defaults)?;
    if let Some(proc) = positional.get(1).filter(|proc| proc.truthy()) {
        visit(vm, &made, proc)?;
    }
    Ok(made)
}
/// Calls a proc with every nested value, including keys, and finally with the value itself.
fn visit(vm: &mut Vm, value: &Value, proc: &Value) -> Res<()> {
    vm.check_stack()?;
    match value {
        Value::Array(list) => {
            for item in list.get(vm).items.clone() {
                visit(vm, &item, proc)?;
            }
        }
        Value::Hash(hash) => {
            let pairs: Vec<(Value, Value)> =
                hash.get(vm).iter().map(|(key, item)| (key.clone(), item.clone())).collect();
            for (key, item) in pairs {
                visit(vm, &key, proc)?;
                visit(vm, &item, proc)?;
            }
        }
        _ => {}
    }
    vm.call(proc, sym::CALL, std::slice::from_ref(value)).map(drop)
}
fn load_file(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = vm.call_name(&Value::Class(ClassId::FILE), "read", &args.pos[..1])?;
    parse_text(vm, &text, args.at(1), parse::Options::strict())
}
fn too_deep(vm: &Vm, error: &Error) -> bool {
    let class = vm.class_named("JSON::NestingError");
    matches!((&*error.0, class), (Unwind::Raise(raised), Some(class)) if vm.is_a(raised, class))
}
fn dump(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    // the limit may be given in place of the stream
    let (io, limit) = match (args.at(1), args.at(2)) {
        (limit @ Value::Int(_), Value::Nil) => (&Value::Nil, limit),
        other => other,
    };
    let options = default_options(vm, "dump_default_options")?;
    let mut format = generate::Format::read(vm, &options, generate::Format::default())?;
    if !limit.is_nil() {
        format.max_nesting = usize::try_from(vm.to_int(limit)?).unwrap_or(0);
    }
    let text = match generate::with_options(vm, args.at(0), &format) {
        Err(error) if format.max_nesting > 0 && too_deep(vm, &error) => {
            return Err(vm.argument_error("exceed depth limit"));
        }
        other => other?,
    };
    if !io.is_nil() && vm.respond_to(io, Symbol::intern_static("write"), false)? {
        vm.call_name(io, "write", &[text])?;
        return Ok(io.clone());
    }
    Ok(text)
}

fn option(vm: &mut Vm, options: &Value, name: &'static str) -> Res<Option<Value>> {
    match options {
        Value::Hash(hash) => Ok(vm.hash_get_sym(hash, Symbol::intern_static(name))),
        Value::Nil => Ok(None),
        other => {
            let hash = vm.call(other, sym::TO_H, &[])?;
            match hash {
                Value::Hash(hash) => Ok(vm.hash_get_sym(&hash, Symbol::intern_static(name))),
                _ => Ok(None),
            }
        }
    }
}
