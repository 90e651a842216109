//! `zlib`: compression, decompression and checksums; the classes are in `ruby/zlib.rb`.

use miniz_oxide::deflate::core::{CompressorOxide, create_comp_flags_from_zip_params};
use miniz_oxide::deflate::stream::deflate;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, RString, Res, Value, Vm, def, opt};

static FUNCTIONS: &[MethodDef] = &[opt("crc32", crc32, 0, 2), opt("adler32", adler32, 0, 2)];
static NATIVE: &[MethodDef] = &[
    def("inflater", inflater, 1),
    def("inflate", expand, 2),
    def("deflater", deflater, 3),
    def("deflate", compress, 3),
    def("copy", copy, 1),
];

/// Defines the native part of Zlib.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "Zlib");
    vm.define_module_functions(module, FUNCTIONS);
    let native = vm.define_module(module, "Native");
    vm.define_module_functions(native, NATIVE);
    Ok(())
}

struct Inflater(Box<InflateState>);
impl NativeData for Inflater {}
struct Deflater(Box<CompressorOxide>);
impl NativeData for Deflater {}

fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_str(value)?.get(vm).bytes().to_vec())
}
fn binary(bytes: Vec<u8>) -> Value {
    Value::string(RString::binary(bytes))
}

/// `(raw)`: the state of a decompression.
fn inflater(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let format = if args.at(0).truthy() { DataFormat::Raw } else { DataFormat::Zlib };
    Ok(Value::data(ClassId::OBJECT, Inflater(InflateState::new_boxed(format))))
}
/// `(state, input)`: `[output, unused input, whether the stream has ended]`; nil for invalid data.
fn expand(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let input = bytes(vm, args.at(1))?;
    let (mut at, mut out) = (0, Vec::new());
    let mut buffer = vec![0; 64 * 1024];
    let mut done = false;
    loop {
        let Some(Inflater(state)) = vm.data_mut::<Inflater>(args.at(0)) else { return Ok(Value::Nil) };
        let step = inflate(state, &input[at..], &mut buffer, MZFlush::None);
        at += step.bytes_consumed;
        vm.check_growth(out.len(), step.bytes_written)?;
        vm.tick_by(buffer.len() / 64)?;
        out.extend_from_slice(&buffer[..step.bytes_written]);
        match step.status {
            Ok(MZStatus::StreamEnd) => {
                done = true;
                break;
            }
            Ok(_) if step.bytes_written == buffer.len() => {}
            Ok(_) if at < input.len() && step.bytes_consumed > 0 => {}
            Ok(_) | Err(MZError::Buf) => break,
            Err(_) => return Ok(Value::Nil),
        }
    }
    Ok(Value::array(vec![binary(out), binary(input[at..].to_vec()), Value::bool(done)]))
}
/// `(level, raw, strategy)`: the state of a compression.
fn deflater(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let level = i32::try_from(vm.to_int(args.at(0))?).unwrap_or(-1);
    let window = if args.at(1).truthy() { -15 } else { 15 };
    let strategy = i32::try_from(vm.to_int(args.at(2))?).unwrap_or(0);
    let flags = create_comp_flags_from_zip_params(level, window, strategy);
    Ok(Value::data(ClassId::OBJECT, Deflater(Box::new(CompressorOxide::new(flags)))))
}
/// `(state, input, flush)`: the output available so far.
fn compress(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let input = bytes(vm, args.at(1))?;
    let flush = match vm.to_int(args.at(2))? {
        2 => MZFlush::Sync,
        3 => MZFlush::Full,
        4 => MZFlush::Finish,
        _ => MZFlush::None,
    };
    let (mut at, mut out) = (0, Vec::new());
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let Some(Deflater(state)) = vm.data_mut::<Deflater>(args.at(0)) else { return Ok(Value::Nil) };
        let step = deflate(state, &input[at..], &mut buffer, flush);
        at += step.bytes_consumed;
        vm.check_growth(out.len(), step.bytes_written)?;
        vm.tick_by(buffer.len() / 64)?;
        out.extend_from_slice(&buffer[..step.bytes_written]);
        match step.status {
            Ok(MZStatus::StreamEnd) | Err(_) => break,
            Ok(_) if step.bytes_written < buffer.len() && at >= input.len() && flush != MZFlush::Finish => break,
            Ok(_) => {}
        }
    }
    Ok(binary(out))
}

/// `(state)`: a state that goes on from the same point.
fn copy(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if let Some(Inflater(state)) = vm.data_mut::<Inflater>(args.at(0)) {
        let copy = Inflater(state.clone());
        return Ok(Value::data(ClassId::OBJECT, copy));
    }
    match vm.data_mut::<Deflater>(args.at(0)) {
        Some(Deflater(state)) => {
            let copy = Deflater(state.clone());
            Ok(Value::data(ClassId::OBJECT, copy))
        }
        None => Ok(Value::Nil),
    }
}

fn start(vm: &mut Vm, args: Args<'_>, default: u32) -> Res<u32> {
    match args.get(1) {
        Some(value) => {
            let number = vm.to_int(value)?;
            // truncated to 32 bits, as in zlib
            Ok(number as u32)
        }
        None => Ok(default),
    }
}
/// What a checksum is of: a String, or what an IO still has to read.
fn summed(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    if !matches!(value, Value::Str(_)) && vm.is_a(value, ClassId::IO) {
        let text = vm.call_name(value, "read", &[])?;
        return bytes(vm, &text);
    }
    bytes(vm, value)
}
/// `crc32(text = nil, start = 0)`
fn crc32(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Ok(Value::Int(0));
    }
    let data = summed(vm, args.at(0))?;
    let mut crc = !start(vm, args, 0)?;
    for byte in data {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    Ok(Value::Int((!crc).into()))
}
/// `adler32(text = nil, start = 1)`
fn adler32(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Ok(Value::Int(1));
    }
    let data = summed(vm, args.at(0))?;
    let from = start(vm, args, 1)?;
    let (mut low, mut high) = (from & 0xffff, from >> 16);
    for byte in data {
        low = (low + u32::from(byte)) % 65521;
        high = (high + low) % 65521;
    }
    Ok(Value::Int(((high << 16) | low).into()))
}
