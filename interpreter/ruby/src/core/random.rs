//! Random: MT19937, seeded and used as in MRI, so that seeded programs get the same numbers.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Signed;
use rchef_syntax::symbol::sym;

const N: usize = 624;
const M: usize = 397;

/// A Mersenne Twister and its seed.
#[derive(Clone, PartialEq)]
pub struct Generator {
    state: Vec<u32>,
    next: usize,
    seed: BigInt,
}
impl NativeData for Generator {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

impl Generator {
    /// Creates a generator with a seed of any size.
    pub fn new(seed: BigInt) -> Generator {
        let mut words: Vec<u32> = seed.magnitude().to_u32_digits();
        let long = words.len() > 1;
        if long && words.last() == Some(&1) {
            // MRI puts this guard word above leading zeros
            words.pop();
        }
        let mut made = Generator { state: vec![0; N], next: N, seed };
        if words.len() <= 1 {
            made.init(words.first().copied().unwrap_or(0));
        } else {
            made.init_by_array(&words);
        }
        made
    }
    fn init(&mut self, seed: u32) {
        self.state[0] = seed;
        for i in 1..N {
            let before = self.state[i - 1];
            self.state[i] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(i as u32);
        }
        self.next = N;
    }
    fn init_by_array(&mut self, key: &[u32]) {
        self.init(19_650_218);
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let before = self.state[i - 1];
            self.state[i] = (self.state[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i += 1;
            j += 1;
            if i >= N {
                self.state[0] = self.state[N - 1];
                i = 1;
            }
            if j >= key.len() {
                j = 0;
            }
        }
        for _ in 0..N - 1 {
            let before = self.state[i - 1];
            self.state[i] =
                (self.state[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                self.state[0] = self.state[N - 1];
                i = 1;
            }
        }
        self.state[0] = 0x8000_0000;
        self.next = N;
    }
    fn refill(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let mut next = self.state[(i + M) % N] ^ (y >> 1);
            if y & 1 != 0 {
                next ^= 0x9908_b0df;
            }
            self.state[i] = next;
        }
        self.next = 0;
    }
    /// The next random 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.next >= N {
            self.refill();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
}

/// Reseeds the generator in a forked child.
pub(crate) fn reseed(vm: &mut Vm) {
    vm.extension::<ProcessGenerator>().0 = None;
}
#[derive(Default)]
struct ProcessGenerator(Option<Generator>);

/// The source of random numbers.
enum Source {
    /// The default generator of the process.
    Process,
    Own(Value),
    /// An object with a method `bytes`.
    Bytes(Value),
}

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    opt("rand", rand, 0, 1),
    def("bytes", bytes, 1),
    def("seed", seed, 0),
    def("==", equal, 1),
    def("state", state, 0).private(),
    def("left", left, 0).private(),
    def("marshal_dump", marshal_dump, 0).private(),
    def("marshal_load", marshal_load, 1).private(),
];
static SINGLETON: &[MethodDef] = &[
    opt("rand", rand, 0, 1),
    def("bytes", bytes, 1),
    def("seed", seed, 0),
    opt("srand", srand, 0, 1),
    def("new_seed", new_seed, 0),
    def("urandom", urandom, 1),
];
static FORMATTER: &[MethodDef] = &[opt("random_number", random_number, 0, 1), opt("rand", rand, 0, 1)];
static KERNEL: &[MethodDef] = &[opt("rand", kernel_rand, 0, 1), opt("srand", srand, 0, 1)];

/// Random bytes of the operating system.
pub fn system_random(vm: &mut Vm, count: usize) -> Res<Vec<u8>> {
    vm.check_size(count)?;
    let mut buffer = vec![0; count];
    let host = vm.host.clone();
    host.fill(&mut buffer).map_err(|error| vm.host_error(&error))?;
    Ok(buffer)
}
fn fresh_seed(vm: &mut Vm) -> Res<BigInt> {
    let buffer = system_random(vm, 16)?;
    Ok(BigInt::from_bytes_le(Sign::Plus, &buffer))
}
/// The default generator, seeded when first used.
fn process_generator(vm: &mut Vm) -> Res<&mut Generator> {
    if vm.extension::<ProcessGenerator>().0.is_none() {
        let seed = fresh_seed(vm)?;
        vm.extension::<ProcessGenerator>().0 = Some(Generator::new(seed));
    }
    Ok(vm.extension::<ProcessGenerator>().0.get_or_insert_with(|| Generator::new(BigInt::from(0))))
}
fn source(vm: &Vm, this: &Value) -> Source {
    match this {
        Value::Class(ClassId::RANDOM) | Value::Nil => Source::Process,
        _ if vm.data::<Generator>(this).is_some() => Source::Own(this.clone()),
        _ => Source::Bytes(this.clone()),
    }
}
fn next_u32(vm: &mut Vm, source: &Source) -> Res<u32> {
    match source {
        Source::Process => Ok(process_generator(vm)?.next_u32()),
        Source::Own(value) => Ok(vm.data_mut::<Generator>(value).map_or(0, Generator::next_u32)),
        Source::Bytes(value) => {
            let given = vm.call_name(value, "bytes", &[Value::Int(4)])?;
            let text = vm.to_str(&given)?;
            match text.get(vm).bytes() {
                [a, b, c, d, ..] => Ok(u32::from_le_bytes([*a, *b, *c, *d])),
                short => {
                    let count = short.len();
                    Err(vm.range_error(format!("random data too short {count}")))
                }
            }
        }
    }
}
fn next_real(vm: &mut Vm, source: &Source, exclusive: bool) -> Res<f64> {
    let (a, b) = (next_u32(vm, source)?, next_u32(vm, source)?);
    if exclusive {
        return Ok((f64::from(a >> 5) * 67_108_864.0 + f64::from(b >> 6)) * (1.0 / 9_007_199_254_740_992.0));
    }
    let pair = u128::from(a) << 32 | u128::from(b);
    let scaled = (pair * (1 << 53 | 1)) >> 64;
    Ok(scaled as f64 / 9_007_199_254_740_992.0)
}
/// A random number from 0 to `limit` (inclusive).
fn limited(vm: &mut Vm, source: &Source, limit: u64) -> Res<u64> {
    if limit == 0 {
        return Ok(0);
    }
    let mask = u64::MAX >> limit.leading_zeros();
    'retry: loop {
        let mut value = 0;
        for word in [1, 0] {
            if mask >> (word * 32) & 0xffff_ffff != 0 {
                value |= u64::from(next_u32(vm, source)?) << (word * 32);
                value &= mask;
                if limit < value {
                    continue 'retry;
                }
            }
        }
        return Ok(value);
    }
}
fn limited_big(vm: &mut Vm, source: &Source, limit: &BigInt) -> Res {
    if let Ok(limit) = u64::try_from(limit)
        && limit <= i64::MAX as u64
    {
        return Ok(Value::u64(limited(vm, source, limit)?));
    }
    let words = limit.magnitude().to_u32_digits();
    'retry: loop {
        let mut found = vec![0; words.len()];
        let (mut mask, mut boundary) = (0_u32, true);
        for (index, &word) in words.iter().enumerate().rev() {
            mask = if mask != 0 { u32::MAX } else { u32::MAX.checked_shr(word.leading_zeros()).unwrap_or(0) };
            if mask == 0 {
                continue;
            }
            let bits = next_u32(vm, source)? & mask;
            if boundary {
                if bits > word {
                    continue 'retry;
                }
                boundary = bits == word;
            }
            found[index] = bits;
        }
        return Ok(Value::big(BigInt::from(BigUint::new(found))));
    }
}
/// A random Integer below `max`; None if it is 0, or negative with `strict`.
fn integer_below(vm: &mut Vm, source: &Source, max: &Value, strict: bool) -> Res<Option<Value>> {
    let mut max = vm.to_bigint(max)?;
    if max.sign() == Sign::NoSign || (strict && max.is_negative()) {
        return Ok(None);
    }
    max = max.abs() - 1;
    limited_big(vm, source, &max).map(Some)
}
#[cold]
fn domain(vm: &mut Vm) -> Error {
    const EDOM: i32 = 33;
    vm.errno(EDOM, None)
}
fn float_of(vm: &mut Vm, value: &Value) -> Res<f64> {
    let number = vm.to_f64(value)?;
    if number.is_finite() { Ok(number) } else { Err(domain(vm)) }
}
/// A random number in a Range: Some(None) if the Range is empty, None if it is not a Range of numbers.
fn in_range(vm: &mut Vm, source: &Source, range: &Value) -> Res<Option<Option<Value>>> {
    let Value::Range(gc) = range else { return Ok(None) };
    let (begin, end, exclusive) = {
        let range = gc.get(vm);
        (range.begin.clone(), range.end.clone(), range.exclusive)
    };
    if begin.is_nil() || end.is_nil() {
        return Err(domain(vm));
    }
    if !vm.respond_to(&end, sym::MINUS, false)? {
        return Ok(None);
    }
    let width = vm.call(&end, sym::MINUS, std::slice::from_ref(&begin))?;
    let is_float = matches!(width, Value::Float(_));
    let offset = if !is_float && vm.respond_to(&width, sym::TO_INT, true)? && !matches!(begin, Value::Float(_)) {
        let mut width = vm.to_bigint(&width)?;
        if exclusive {
            width -= 1;
        }
        if width.is_negative() {
            return Ok(Some(None));
        }
        limited_big(vm, source, &width)?
    } else {
        let mut max = vm.to_f64(&width)?;
        let (mut scale, mut mid) = (1.0, 0.5);
        if max.is_nan() {
            return Err(domain(vm));
        }
        if max.is_infinite() {
            let low = float_of(vm, &begin)? / 2.0;
            max = float_of(vm, &end)? / 2.0;
            scale = 2.0;
            mid = max + low;
            max -= low;
        }
        if max > 0.0 {
            let real = next_real(vm, source, exclusive)?;
            if scale > 1.0 {
                return Ok(Some(Some(Value::float((real - 0.5) * max * scale + mid))));
            }
            Value::float(real * max)
        } else if max == 0.0 && !exclusive {
            Value::float(0.0)
        } else {
            return Ok(Some(None));
        }
    };
    match (&begin, &offset) {
        (Value::Int(_), Value::Int(_)) => Ok(Some(Some(super::integer::add(vm, &begin, &offset)))),
        _ => Ok(Some(Some(vm.call(&begin, sym::PLUS, &[offset])?))),
    }
}
#[cold]
fn invalid(vm: &mut Vm, value: &Value) -> Error {
    match vm.to_s_text(value) {
        Ok(shown) => vm.argument_error(format!("invalid argument - {shown}")),
        Err(error) => error,
    }
}
/// The result of `rand(max)`: Some(None) for an invalid limit, None if it is not a number.
fn by_limit(vm: &mut Vm, source: &Source, limit: &Value) -> Res<Option<Option<Value>>> {
    match limit {
        Value::Nil => Ok(Some(None)),
        Value::Float(max) => {
            let max = *max;
            if !max.get().is_finite() {
                return Err(domain(vm));
            }
            if max.get() < 0.0 {
                return Ok(Some(None));
            }
            let real = next_real(vm, source, true)?;
            Ok(Some(Some(Value::float(real * max.get()))))
        }
        Value::Range(_) => in_range(vm, source, limit),
        Value::Int(_) | Value::Big(_) => integer_below(vm, source, limit, true).map(Some),
        _ => match vm.try_convert(limit, sym::TO_INT)? {
            Some(max @ (Value::Int(_) | Value::Big(_))) => integer_below(vm, source, &max, true).map(Some),
            _ => Ok(None),
        },
    }
}
fn rand(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let source = source(vm, this);
    let Some(limit) = args.get(0) else { return Ok(Value::float(next_real(vm, &source, true)?)) };
    match by_limit(vm, &source, limit)? {
        Some(Some(value)) => Ok(value),
        Some(None) => Err(invalid(vm, limit)),
        None => {
            vm.to_int(limit)?;
            Err(invalid(vm, limit))
        }
    }
}
/// Random::Formatter#random_number: a Float if the limit is invalid.
fn random_number(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let source = source(vm, this);
    if let Some(limit) = args.get(0)
        && let Some(Some(value)) = by_limit(vm, &source, limit)?
    {
        return Ok(value);
    }
    Ok(Value::float(next_real(vm, &source, true)?))
}
fn kernel_rand(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let source = Source::Process;
    if let Some(limit) = args.get(0)
        && !limit.is_nil()
    {
        if let Value::Range(_) = limit
            && let Some(found) = in_range(vm, &source, limit)?
        {
            return Ok(found.unwrap_or_default());
        }
        let limit = vm.to_integer(limit)?;
        if let Some(found) = integer_below(vm, &source, &limit, false)? {
            return Ok(found);
        }
    }
    Ok(Value::float(next_real(vm, &source, true)?))
}
fn bytes(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.argument_error("negative string size (or size too big)"));
    };
    vm.check_size(count)?;
    let source = source(vm, this);
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let word = next_u32(vm, &source)?.to_le_bytes();
        let take = word.len().min(count - out.len());
        out.extend_from_slice(&word[..take]);
    }
    Ok(Value::string(RString::binary(out)))
}
fn urandom(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.argument_error("negative string size (or size too big)"));
    };
    Ok(Value::string(RString::binary(system_random(vm, count)?)))
}
fn new_seed(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::big(fresh_seed(vm)?))
}
fn seed_arg(vm: &mut Vm, args: Args<'_>) -> Res<BigInt> {
    match args.get(0) {
        Some(seed) => vm.to_bigint(seed),
        None => fresh_seed(vm),
    }
}
fn srand(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let seed = seed_arg(vm, args)?;
    let old = process_generator(vm)?.seed.clone();
    *process_generator(vm)? = Generator::new(seed);
    Ok(Value::big(old))
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let seed = seed_arg(vm, args)?;
    if let Some(data) = vm.data_mut::<Generator>(this) {
        *data = Generator::new(seed);
    }
    Ok(this.clone())
}
fn seed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let seed = match vm.data::<Generator>(this) {
        Some(data) => data.seed.clone(),
        None => process_generator(vm)?.seed.clone(),
    };
    Ok(Value::big(seed))
}
/// The generator's state as an Integer.
fn state(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let words = vm.data::<Generator>(this).map(|data| data.state.clone()).unwrap_or_default();
    Ok(Value::big(BigInt::from(BigUint::new(words))))
}
/// How many numbers are left before the state is regenerated.
fn left(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(vm.data::<Generator>(this).map_or(0, |data| N + 1 - data.next)))
}
fn marshal_dump(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(vec![state(vm, this, args)?, left(vm, this, args)?, seed(vm, this, args)?]))
}
fn marshal_load(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let parts = vm.to_array(args.at(0))?;
    let [state, left, seed] = parts.as_slice() else { return Err(vm.argument_error("wrong dump data")) };
    let mut words = vm.to_bigint(state)?.magnitude().to_u32_digits();
    let (left, seed) = (vm.to_int(left)?, vm.to_bigint(seed)?);
    let Some(next) = usize::try_from(left).ok().and_then(|left| (N + 1).checked_sub(left)) else {
        return Err(vm.argument_error("wrong value"));
    };
    if words.len() > N {
        return Err(vm.argument_error("wrong value"));
    }
    words.resize(N, 0);
    if let Some(data) = vm.data_mut::<Generator>(this) {
        *data = Generator { state: words, next, seed };
    }
    Ok(this.clone())
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let same = match (vm.data::<Generator>(this), vm.data::<Generator>(args.at(0))) {
        (Some(a), Some(b)) => a == b && vm.real_class_of(this) == vm.real_class_of(args.at(0)),
        _ => false,
    };
    Ok(Value::bool(same))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::RANDOM).allocator =
        Some(|_, class| Ok(Value::data(class, Generator { state: vec![0; N], next: N, seed: BigInt::from(0) })));
    let formatter = vm.define_module(ClassId::RANDOM, "Formatter");
    vm.define_methods(formatter, FORMATTER);
    vm.include_module(ClassId::RANDOM, formatter);
    let meta = vm.meta(ClassId::RANDOM);
    vm.include_module(meta, formatter);
    vm.define_methods(ClassId::RANDOM, METHODS);
    vm.define_singleton_methods(ClassId::RANDOM, SINGLETON);
    vm.define_module_functions(ClassId::KERNEL, KERNEL);
    vm.const_set_deprecated(ClassId::RANDOM, Symbol::intern_static("DEFAULT"), Value::Class(ClassId::RANDOM));
}
