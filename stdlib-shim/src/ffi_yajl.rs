//! `FFI_Yajl`, Chef's JSON library: its `Parser` and `Encoder`, with the messages and output format of YAJL 2.1.

mod encode;
mod parse;

use rchef_ruby::{Args, ClassId, Error, MethodDef, Res, Symbol, Value, Vm, opt, sym};

static PARSER: &[MethodDef] = &[opt("parse", parse_class, 1, 2)];
static PARSER_INSTANCE: &[MethodDef] =
    &[opt("initialize", initialize, 0, 1).private(), opt("parse", parse_instance, 1, 1)];
static ENCODER: &[MethodDef] = &[opt("encode", encode_class, 1, 2)];
static ENCODER_INSTANCE: &[MethodDef] =
    &[opt("initialize", initialize, 0, 1).private(), opt("encode", encode_instance, 1, 1)];

/// Defines the module; `to_json` methods are used if json is loaded.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "FFI_Yajl");
    vm.define_class(module, "ParseError", ClassId::STANDARD_ERROR);
    vm.define_class(module, "EncodeError", ClassId::STANDARD_ERROR);
    let parser = vm.define_class(module, "Parser", ClassId::OBJECT);
    vm.define_singleton_methods(parser, PARSER);
    vm.define_methods(parser, PARSER_INSTANCE);
    let encoder = vm.define_class(module, "Encoder", ClassId::OBJECT);
    vm.define_singleton_methods(encoder, ENCODER);
    vm.define_methods(encoder, ENCODER_INSTANCE);
    Ok(())
}

/// `FFI_Yajl::ParseError` or `EncodeError`.
fn class(vm: &mut Vm, name: &'static str) -> ClassId {
    vm.class_named(&format!("FFI_Yajl::{name}")).unwrap_or(ClassId::STANDARD_ERROR)
}
fn error(vm: &mut Vm, name: &'static str, text: impl AsRef<str>) -> Error {
    let class = class(vm, name);
    vm.error(class, text)
}

/// The value of an option with a Symbol as its key.
fn option(vm: &mut Vm, options: &Value, name: &'static str) -> Res<Option<Value>> {
    match options {
        Value::Hash(_) => {
            let value = vm.call(options, sym::AREF, &[Value::sym(name)])?;
            Ok(Some(value).filter(|value| !value.is_nil()))
        }
        _ => Ok(None),
    }
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(this, Symbol::intern_static("@opts"), args.at(0).clone());
    Ok(Value::Nil)
}
fn options(vm: &mut Vm, this: &Value) -> Value {
    vm.ivar_get(this, Symbol::intern_static("@opts")).unwrap_or_default()
}
fn parse_class(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    parse_with(vm, args.at(0), args.at(1))
}
fn parse_instance(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let options = options(vm, this);
    parse_with(vm, args.at(0), &options)
}
fn parse_with(vm: &mut Vm, source: &Value, options: &Value) -> Res {
    let text = match source {
        Value::Str(text) => text.clone(),
        other => {
            let read = Symbol::intern_static("read");
            if !vm.respond_to(other, read, false)? {
                return Err(error(vm, "ParseError", "input must be a string or IO"));
            }
            let text = vm.call(other, read, &[])?;
            vm.to_str(&text)?
        }
    };
    let mut symbols = false;
    for name in ["symbolize_keys", "symbolize_names"] {
        symbols |= option(vm, options, name)?.is_some_and(|value| value.truthy());
    }
    let unique = option(vm, options, "unique_key_checking")?.is_some_and(|value| value.truthy());
    let bytes = text.get(vm).bytes().to_vec();
    parse::parse(vm, &bytes, parse::Options { symbols, unique })
}
fn encode_class(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    encode::encode(vm, args.at(0), args.at(1))
}
fn encode_instance(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let options = options(vm, this);
    encode::encode(vm, args.at(0), &options)
}
