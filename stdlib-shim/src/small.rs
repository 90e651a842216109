//! Small libraries: `etc`, `base64`, `securerandom`, and the native parts of `weakref` and `io/console`.

use rchef_host::{Group, User};
use rchef_ruby::embed::io::{stream_of, wait_for};
use rchef_ruby::text::base64 as text;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, RString, Res, Symbol, Value, Vm, any, def, opt, sym};

static ETC: &[MethodDef] = &[
    def("getpwnam", getpwnam, 1),
    opt("getpwuid", getpwuid, 0, 1),
    def("getgrnam", getgrnam, 1),
    opt("getgrgid", getgrgid, 0, 1),
    def("getlogin", getlogin, 0),
    def("nprocessors", nprocessors, 0),
    def("uname", uname, 0),
    def("sysconfdir", sysconfdir, 0),
    def("systmpdir", systmpdir, 0),
];

/// Methods that yield all entries.
static LISTS: &[MethodDef] = &[def("passwd", passwd, 0), def("group", group, 0)];

fn structure(vm: &mut Vm, module: ClassId, name: &str, members: &[&str]) -> Res<()> {
    let members: Vec<Value> = members.iter().map(|member| Value::sym(member)).collect();
    let made = vm.call(&Value::Class(ClassId::STRUCT), sym::NEW, &members)?;
    vm.const_set(module, Symbol::intern(name), made);
    Ok(())
}
/// The result of `RbConfig.ruby`; None: the usual path of Ruby in a distribution.
#[derive(Default)]
struct RubyProgram(Option<String>);

/// Sets the path by which this program can be started as `ruby`.
pub fn set_ruby_program(vm: &mut Vm, path: String) {
    vm.extension::<RubyProgram>().0 = Some(path);
}
static RBCONFIG: &[MethodDef] = &[def("ruby", ruby, 0)];

/// Defines `RbConfig.ruby`.
pub(crate) fn rbconfig(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "RbConfig");
    vm.define_singleton_methods(module, RBCONFIG);
    Ok(())
}
fn ruby(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(vm.extension::<RubyProgram>().0.as_deref().unwrap_or("/usr/bin/ruby")))
}
static WAIT: &[MethodDef] = &[def("nread", nread, 0), def("ready?", ready, 0)];
/// Defines the methods that `io/wait` adds.
pub(crate) fn wait(vm: &mut Vm) -> Res<()> {
    vm.define_methods(ClassId::IO, WAIT);
    Ok(())
}
/// `IO#nread`: how many bytes can be read without waiting.
fn nread(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let handle = stream.reading(vm)?;
    match stream.held() {
        0 => handle.pending().map(|count| Value::Int(count as i64)).map_err(|error| vm.host_error(&error)),
        held => Ok(Value::len(held)),
    }
}
/// `IO#ready?`: whether a read would not wait.
fn ready(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    Ok(Value::bool(wait_for(vm, &stream, false, Some(std::time::Duration::ZERO))?))
}
use rchef_host::files::fcntl;
static NONBLOCK: &[MethodDef] =
    &[def("nonblock?", is_nonblock, 0), def("nonblock=", set_nonblock, 1), opt("nonblock", nonblock, 0, 1)];
/// Defines the methods that `io/nonblock` adds.
pub(crate) fn nonblock_methods(vm: &mut Vm) -> Res<()> {
    vm.define_methods(ClassId::IO, NONBLOCK);
    Ok(())
}
/// The flags of the stream's descriptor, and whether O_NONBLOCK is among them.
fn flags(vm: &mut Vm, this: &Value) -> Res<(i64, bool)> {
    let flags = vm.call_name(this, "fcntl", &[Value::Int(fcntl::GET_FLAGS.into())])?;
    let flags = vm.to_int(&flags)?;
    Ok((flags, flags & i64::from(rchef_host::OpenFlags::NONBLOCK.0) != 0))
}
fn change_nonblock(vm: &mut Vm, this: &Value, wanted: bool) -> Res<bool> {
    let (flags, before) = flags(vm, this)?;
    if before != wanted {
        let changed = flags ^ i64::from(rchef_host::OpenFlags::NONBLOCK.0);
        vm.call_name(this, "fcntl", &[Value::Int(fcntl::SET_FLAGS.into()), Value::Int(changed)])?;
    }
    Ok(before)
}
/// `IO#nonblock?`: whether calls on the descriptor return at once.
fn is_nonblock(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(flags(vm, this)?.1))
}
fn set_nonblock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    change_nonblock(vm, this, args.at(0).truthy())?;
    Ok(args.at(0).clone())
}
/// `IO#nonblock(on = true) { |io| }`: the flag is as before after the block.
fn nonblock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.no_block()) };
    let before = change_nonblock(vm, this, args.get(0).is_none_or(Value::truthy))?;
    let result = vm.yield1(block, this.clone());
    change_nonblock(vm, this, before)?;
    result
}
/// Defines the methods that `io/console` adds.
pub(crate) fn console(vm: &mut Vm) -> Res<()> {
    let readable = vm.define_module(ClassId::IO, "generic_readable");
    vm.define_methods(readable, READABLE);
    Ok(())
}
static READABLE: &[MethodDef] = &[any("getch", getch), opt("getpass", getpass, 0, 1)];
/// `IO#getch`: the next character. A terminal is not switched to raw mode.
fn getch(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.call_name(this, "getc", &[])
}
/// `getpass(prompt = nil)`: a line without its line end; the prompt is written to standard error.
fn getpass(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stderr = vm.global_get(Symbol::intern_static("$stderr"))?;
    if let Some(prompt) = args.get(0).filter(|prompt| !prompt.is_nil()) {
        vm.call_name(&stderr, "print", std::slice::from_ref(prompt))?;
    }
    let line = vm.call_name(this, "gets", &[])?;
    vm.call_name(&stderr, "puts", &[])?;
    if line.is_nil() { Ok(line) } else { vm.call_name(&line, "chomp", &[]) }
}
/// The object of a weak reference, and the number of garbage collections when the reference was made.
struct Lent(Value, i64);
impl NativeData for Lent {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.0);
    }
}
static LENDING: &[MethodDef] = &[def("of", lent_of, 1)];
static LENT: &[MethodDef] = &[def("alive?", lent_alive, 0), def("object", lent_object, 0)];

/// Defines `DidYouMean.__like(input, words)`: the indices of the words that are similar to the input; `words` are separated by NUL bytes.
pub(crate) fn did_you_mean(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "DidYouMean");
    vm.define_singleton_methods(module, LIKE);
    Ok(())
}
static LIKE: &[MethodDef] = &[def("__like", like, 2), def("__distance", distance, 3), def("__features", features, 0)];
/// The names of the libraries that come with the engine.
fn features(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(vm.libraries.names().map(Value::str).collect()))
}
/// `__distance(kind, a, b)`: how far or how near two words are.
fn distance(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    use rchef_text::distance::{jaro, jaro_winkler, levenshtein};
    let (kind, a, b) = (vm.to_text(args.at(0))?, vm.to_s_text(args.at(1))?, vm.to_s_text(args.at(2))?);
    Ok(match kind.as_ref() {
        "jaro" => Value::float(jaro(&a, &b)),
        "jaro_winkler" => Value::float(jaro_winkler(&a, &b)),
        _ => Value::len(levenshtein(&a, &b)),
    })
}
fn like(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (input, words) = (data_of(vm, args.at(0))?, data_of(vm, args.at(1))?);
    let (input, words) = (String::from_utf8_lossy(&input), String::from_utf8_lossy(&words));
    let words: Vec<&str> = words.split('\0').collect();
    let found = rchef_text::distance::correct(&input, &words);
    Ok(Value::array(found.into_iter().map(|at| Value::Int(at as i64)).collect()))
}

/// Defines WeakRef::Lent: `Lent.of(object)` with `alive?` and `object`. Objects are reference counted, so an object with a count of one is only held
/// by its weak reference; it is released by the first call of `alive?` that finds this after a garbage collection.
pub(crate) fn weakref(vm: &mut Vm) -> Res<()> {
    let delegator = vm.class_named("Delegator").unwrap_or(ClassId::OBJECT);
    let owner = vm.define_class(ClassId::OBJECT, "WeakRef", delegator);
    let class = vm.define_class(owner, "Lent", ClassId::OBJECT);
    vm.define_methods(class, LENT);
    vm.define_singleton_methods(class, LENDING);
    Ok(())
}
fn lent_of(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = match this {
        Value::Class(class) => *class,
        _ => ClassId::OBJECT,
    };
    let runs = rchef_ruby::embed::gc::runs(vm);
    let lent = Value::data(class, Lent(args.at(0).clone(), runs));
    if let Value::Object(cell) = &lent {
        cell.set_flag(rchef_ruby::embed::heap::WEAK, true);
    }
    Ok(lent)
}
fn lent_alive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let runs = rchef_ruby::embed::gc::runs(vm);
    let Some(Lent(object, lent)) = vm.data::<Lent>(this) else { return Ok(Value::False) };
    if *lent == runs {
        return Ok(Value::True);
    }
    let Some(holders) = rchef_ruby::embed::heap::holders(object) else { return Ok(Value::True) };
    if holders <= 1 {
        vm.set_data(this, Gone);
    }
    Ok(Value::bool(holders > 1))
}
fn lent_object(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.data::<Lent>(this).map(|lent| lent.0.clone()).unwrap_or_default())
}
/// Replaces a released object.
struct Gone;
impl NativeData for Gone {}

pub(crate) fn etc(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "Etc");
    structure(vm, module, "Passwd", &["name", "passwd", "uid", "gid", "gecos", "dir", "shell"])?;
    structure(vm, module, "Group", &["name", "passwd", "gid", "mem"])?;
    vm.define_module_functions(module, ETC);
    let native = vm.define_module(module, "Native");
    vm.define_module_functions(native, LISTS);
    Ok(())
}
fn make(vm: &mut Vm, class: &str, fields: &[Value]) -> Res {
    let Some(class) = vm.class_named(class) else { return Ok(Value::Nil) };
    vm.call(&Value::Class(class), sym::NEW, fields)
}
fn user_value(vm: &mut Vm, user: User) -> Res {
    let fields = [
        Value::bytes(user.name),
        Value::bytes(user.passwd),
        Value::Int(user.uid.into()),
        Value::Int(user.gid.into()),
        Value::bytes(user.gecos),
        Value::bytes(user.dir),
        Value::bytes(user.shell),
    ];
    make(vm, "Etc::Passwd", &fields)
}
fn group_value(vm: &mut Vm, group: Group) -> Res {
    let members = group.members.into_iter().map(Value::bytes).collect();
    make(
        vm,
        "Etc::Group",
        &[Value::bytes(group.name), Value::bytes(group.passwd), Value::Int(group.gid.into()), Value::array(members)],
    )
}
fn getpwnam(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_text(args.at(0))?;
    match vm.host.user_by_name(name.as_bytes()).map_err(|error| vm.host_error(&error))? {
        Some(user) => user_value(vm, user),
        None => Err(vm.argument_error(format!("can't find user for {name}"))),
    }
}
fn getpwuid(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let id = match args.get(0) {
        Some(value) => vm.to_c_unsigned(value)?,
        None => vm.host.uids().0,
    };
    match vm.host.user_by_id(id).map_err(|error| vm.host_error(&error))? {
        Some(user) => user_value(vm, user),
        None => Err(vm.argument_error(format!("can't find user for {}", id as i32))),
    }
}
fn getgrnam(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_text(args.at(0))?;
    match vm.host.group_by_name(name.as_bytes()).map_err(|error| vm.host_error(&error))? {
        Some(group) => group_value(vm, group),
        None => Err(vm.argument_error(format!("can't find group for {name}"))),
    }
}
fn getgrgid(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let id = match args.get(0) {
        Some(value) => vm.to_c_unsigned(value)?,
        None => vm.host.gids().0,
    };
    match vm.host.group_by_id(id).map_err(|error| vm.host_error(&error))? {
        Some(group) => group_value(vm, group),
        None => Err(vm.argument_error(format!("can't find group for {}", id as i32))),
    }
}
fn getlogin(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let user = vm.host.env(b"USER");
    Ok(user.map(Value::bytes).unwrap_or_default())
}
/// Yields the entries to the block, if there is one.
fn each(vm: &mut Vm, args: Args<'_>, values: Vec<Value>) -> Res {
    match args.block {
        Some(block) => {
            for value in values {
                vm.yield1(block, value)?;
            }
            Ok(Value::Nil)
        }
        None => Ok(values.into_iter().next().unwrap_or_default()),
    }
}
fn passwd(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut values = Vec::new();
    for user in vm.host.users().map_err(|error| vm.host_error(&error))? {
        values.push(user_value(vm, user)?);
    }
    each(vm, args, values)
}
fn group(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut values = Vec::new();
    for group in vm.host.groups().map_err(|error| vm.host_error(&error))? {
        values.push(group_value(vm, group)?);
    }
    each(vm, args, values)
}
fn nprocessors(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(vm.host.processors()))
}
fn uname(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let uname = vm.host.uname().map_err(|error| vm.host_error(&error))?;
    let pairs = [
        ("sysname", uname.sysname),
        ("nodename", uname.nodename),
        ("release", uname.release),
        ("version", uname.version),
        ("machine", uname.machine),
    ];
    vm.new_hash(pairs.into_iter().map(|(key, value)| (Value::sym(key), Value::str(value))).collect())
}
fn sysconfdir(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str("/etc"))
}
fn systmpdir(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str("/tmp"))
}

fn data_of(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    let text = vm.to_str(value)?;
    Ok(text.get(vm).bytes().to_vec())
}
static BASE64: &[MethodDef] = &[
    def("encode64", encode64, 1),
    def("decode64", decode64, 1),
    def("strict_encode64", strict_encode64, 1),
    def("strict_decode64", strict_decode64, 1),
    opt("urlsafe_encode64", urlsafe_encode64, 1, 2),
    def("urlsafe_decode64", urlsafe_decode64, 1),
];
pub(crate) fn base64(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "Base64");
    vm.define_module_functions(module, BASE64);
    Ok(())
}
fn ascii(bytes: Vec<u8>) -> Value {
    Value::string(RString::ascii(&String::from_utf8_lossy(&bytes)))
}
fn encode64(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(ascii(text::encode_lines(&data_of(vm, args.at(0))?, 45)))
}
fn decode64(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::string(RString::binary(text::decode(&data_of(vm, args.at(0))?))))
}
fn strict_encode64(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(ascii(text::strict_encode(&data_of(vm, args.at(0))?)))
}
fn strict_decode64(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match text::strict_decode(&data_of(vm, args.at(0))?) {
        Some(bytes) => Ok(Value::string(RString::binary(bytes))),
        None => Err(vm.argument_error("invalid base64")),
    }
}
fn urlsafe_encode64(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let padding = args.keyword(vm, Symbol::intern_static("padding")).is_none_or(|value| value.truthy());
    Ok(ascii(text::urlsafe_encode(&data_of(vm, args.at(0))?, padding)))
}
fn urlsafe_decode64(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match text::urlsafe_decode(&data_of(vm, args.at(0))?) {
        Some(bytes) => Ok(Value::string(RString::binary(bytes))),
        None => Err(vm.argument_error("invalid base64")),
    }
}

static RANDOM: &[MethodDef] =
    &[def("gen_random", gen_random, 1), opt("random_number", random_number, 0, 1), opt("rand", random_number, 0, 1)];
/// The native part of `ruby/securerandom.rb`: `SecureRandom.gen_random(bytes)` and random numbers.
pub(crate) fn securerandom(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "SecureRandom");
    vm.define_singleton_methods(module, RANDOM);
    Ok(())
}
fn fill(vm: &mut Vm, count: usize) -> Res<Vec<u8>> {
    vm.check_size(count)?;
    let mut bytes = vec![0; count];
    vm.host.fill(&mut bytes).map_err(|error| vm.host_error(&error))?;
    Ok(bytes)
}
fn gen_random(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let count = usize::try_from(count).map_err(|_| vm.argument_error("negative string size (or size too big)"))?;
    Ok(Value::string(RString::binary(fill(vm, count)?)))
}
fn random_number(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = Value::Class(ClassId::OBJECT);
    let generator = vm.call_name(&class, "const_get", &[Value::sym("Random")])?;
    let seed = fill(vm, 16)?;
    let seed = num_bigint::BigInt::from_bytes_be(num_bigint::Sign::Plus, &seed);
    let made = vm.call(&generator, sym::NEW, &[Value::big(seed)])?;
    let limit = args.at(0);
    if !limit.is_nil() && !vm.is_a(limit, ClassId::NUMERIC) && !matches!(limit, Value::Range(_)) {
        let shown = vm.to_s_text(limit)?;
        return Err(vm.argument_error(format!("invalid argument - {shown}")));
    }
    match limit {
        Value::Nil | Value::False => vm.call_name(&made, "rand", &[]),
        Value::Int(number) if *number <= 0 => vm.call_name(&made, "rand", &[]),
        Value::Float(number) if number.get() <= 0.0 => vm.call_name(&made, "rand", &[]),
        limit => vm.call_name(&made, "rand", std::slice::from_ref(limit)),
    }
}

/// Defines Racc::PARSER_TEXT: the text of the parser's library, for parsers that carry it in themselves.
pub(crate) fn racc_parser_text(vm: &mut Vm) -> Res<()> {
    let racc = vm.define_module(ClassId::OBJECT, "Racc");
    let text = embedded!("ruby/racc_parser.rb").bytes().map_err(|damaged| vm.runtime_error(damaged))?;
    let text = Value::str(String::from_utf8_lossy(&text));
    vm.const_set(racc, Symbol::intern("PARSER_TEXT"), text);
    Ok(())
}

static PATHNAME: &[MethodDef] = &[any("sub", path_sub)];

/// Defines Pathname#sub: its block sees `$~` of the frame it is in, which a method of Ruby in between would keep to itself.
pub(crate) fn pathname(vm: &mut Vm) -> Res<()> {
    let class = vm.define_class(ClassId::OBJECT, "Pathname", ClassId::OBJECT);
    vm.define_methods(class, PATHNAME);
    Ok(())
}
fn path_sub(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let path = vm.ivar_get(this, Symbol::intern_static("@path")).unwrap_or_default();
    let made = vm.call_args(&path, Symbol::intern_static("sub"), args)?;
    let class = Value::Class(vm.real_class_of(this));
    vm.call(&class, Symbol::intern_static("made"), &[made])
}
