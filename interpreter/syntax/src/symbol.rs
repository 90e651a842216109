//! Interned names. A `Symbol` is an index into one process-wide table; entries are never removed.

use crate::keyed::Keyed;
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::{LazyLock, RwLock};

/// An interned name: Ruby's Symbol, and every identifier of a tree. It is the index in the table and one, as wide as the other contents of a value,
/// so that a value is passed and returned as two machine words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(NonZeroU64);

struct Entry {
    bytes: &'static [u8],
    text: &'static str,
}

struct Interner {
    map: HashMap<&'static [u8], u32, Keyed>,
    entries: Vec<Entry>,
}

impl Interner {
    fn with_well_known() -> Interner {
        let mut interner = Interner {
            map: HashMap::with_capacity_and_hasher(4096, Keyed::default()),
            entries: Vec::with_capacity(4096),
        };
        for name in WELL_KNOWN {
            let id = interner.entries.len() as u32;
            interner.map.insert(name.as_bytes(), id);
            interner.entries.push(Entry { bytes: name.as_bytes(), text: name });
        }
        interner
    }

    fn add(&mut self, bytes: &'static [u8]) -> u32 {
        if let Some(&id) = self.map.get(bytes) {
            return id;
        }
        let id = self.entries.len() as u32;
        let text: &'static str = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => Box::leak(String::from_utf8_lossy(bytes).into_owned().into_boxed_str()),
        };
        self.map.insert(bytes, id);
        self.entries.push(Entry { bytes, text });
        id
    }
}

static INTERNER: LazyLock<RwLock<Interner>> = LazyLock::new(|| RwLock::new(Interner::with_well_known()));

fn read() -> std::sync::RwLockReadGuard<'static, Interner> {
    INTERNER.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn write() -> std::sync::RwLockWriteGuard<'static, Interner> {
    INTERNER.write().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Symbol {
    #[inline(always)]
    const fn at(index: u32) -> Symbol {
        Symbol(NonZeroU64::MIN.saturating_add(index as u64))
    }

    #[inline(always)]
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Interns a name.
    pub fn intern(name: &str) -> Symbol {
        Symbol::intern_bytes(name.as_bytes())
    }

    /// Interns a name that need not be UTF-8.
    pub fn intern_bytes(name: &[u8]) -> Symbol {
        if let Some(&id) = read().map.get(name) {
            return Symbol::at(id);
        }
        Symbol::at(write().add(Box::leak(name.to_vec().into_boxed_slice())))
    }

    /// Interns a static name without copying it.
    pub fn intern_static(name: &'static str) -> Symbol {
        if let Some(&id) = read().map.get(name.as_bytes()) {
            return Symbol::at(id);
        }
        Symbol::at(write().add(name.as_bytes()))
    }

    /// Interns many static names under one lock, in order.
    pub fn intern_all(names: impl Iterator<Item = &'static str>, mut each: impl FnMut(Symbol)) {
        let mut table = write();
        for name in names {
            each(Symbol::at(table.add(name.as_bytes())));
        }
    }

    /// The symbol of a name if it has been interned before.
    pub fn lookup(name: &[u8]) -> Option<Symbol> {
        read().map.get(name).map(|&id| Symbol::at(id))
    }

    /// The name as a `str`; bytes that are not UTF-8 become replacement characters.
    pub fn as_str(self) -> &'static str {
        read().entries[self.index()].text
    }

    pub fn as_bytes(self) -> &'static [u8] {
        read().entries[self.index()].bytes
    }

    /// The number: constant within a process, in order of first interning.
    #[inline(always)]
    pub fn id(self) -> u32 {
        self.index() as u32
    }

    /// The symbol with a number that [`Symbol::id`] has returned.
    #[inline(always)]
    pub const fn of_id(id: u32) -> Symbol {
        Symbol::at(id)
    }

    /// The number of interned names.
    pub fn count() -> usize {
        read().entries.len()
    }

    pub fn from_id(id: u32) -> Option<Symbol> {
        ((id as usize) < Symbol::count()).then_some(Symbol::at(id))
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ":{}", self.as_str())
    }
}

impl std::fmt::Display for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! well_known {
    ($($id:ident = $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // only numbers the constants below
        #[repr(u32)]
        enum Number { $($id),* }
        const WELL_KNOWN: &[&str] = &[$($text),*];
        /// The well-known names as constants.
        pub mod sym {
            use super::{Number, Symbol};
            $(pub const $id: Symbol = Symbol::at(Number::$id as u32);)*
        }
    };
}

well_known! {
    EMPTY = "", PLUS = "+", MINUS = "-", STAR = "*", SLASH = "/", PERCENT = "%", POW = "**", UPLUS = "+@", UMINUS = "-@",
    LT = "<", LE = "<=", GT = ">", GE = ">=", EQ = "==", NE = "!=", EQQ = "===", CMP = "<=>", MATCH = "=~", NMATCH = "!~",
    NOT = "!", TILDE = "~", AND = "&", OR = "|", XOR = "^", LSHIFT = "<<", RSHIFT = ">>", AREF = "[]", ASET = "[]=", BACKTICK = "`",
    INITIALIZE = "initialize", INITIALIZE_COPY = "initialize_copy", INITIALIZE_CLONE = "initialize_clone", OBJECT_ID = "object_id",
    INITIALIZE_DUP = "initialize_dup", NEW = "new", ALLOCATE = "allocate", INSPECT = "inspect", TO_S = "to_s", TO_STR = "to_str",
    TO_A = "to_a", TO_ARY = "to_ary", TO_H = "to_h", TO_HASH = "to_hash", TO_I = "to_i", TO_INT = "to_int", TO_F = "to_f", TO_R = "to_r",
    TO_C = "to_c", TO_SYM = "to_sym", TO_PROC = "to_proc", TO_PATH = "to_path", TO_IO = "to_io", TO_ENUM = "to_enum", COERCE = "coerce", HASH = "hash",
    EQL = "eql?", EQUAL = "equal?", EACH = "each", EACH_PAIR = "each_pair", CALL = "call", YIELD = "yield", MAP = "map", SUCC = "succ", SIZE = "size", LENGTH = "length", EMPTY_P = "empty?",
    METHOD_MISSING = "method_missing", RESPOND_TO = "respond_to?", RESPOND_TO_MISSING = "respond_to_missing?",
    CONST_MISSING = "const_missing", INHERITED = "inherited", INCLUDED = "included", EXTENDED = "extended", PREPENDED = "prepended",
    INCLUDE = "include", EXTEND = "extend", PREPEND = "prepend", APPEND_FEATURES = "append_features", EXTEND_OBJECT = "extend_object",
    PREPEND_FEATURES = "prepend_features", METHOD_ADDED = "method_added", METHOD_REMOVED = "method_removed",
    METHOD_UNDEFINED = "method_undefined", SINGLETON_METHOD_ADDED = "singleton_method_added",
    SINGLETON_METHOD_REMOVED = "singleton_method_removed", SINGLETON_METHOD_UNDEFINED = "singleton_method_undefined",
    EXCEPTION = "exception", MESSAGE = "message", FULL_MESSAGE = "full_message", BACKTRACE = "backtrace", SET_BACKTRACE = "set_backtrace", CAUSE = "cause",
    DEFAULT = "default", LAMBDA = "lambda", PROC = "proc", RAISE = "raise", LOOP = "loop", BLOCK_GIVEN = "block_given?", BINDING = "binding",
    EVAL = "eval", SEND = "send", PUBLIC_SEND = "public_send", UNDERSCORE_SEND = "__send__", UNDERSCORE_ID = "__id__", INSTANCE_EVAL = "instance_eval", INSTANCE_EXEC = "instance_exec",
    CLASS_EVAL = "class_eval", MODULE_EVAL = "module_eval", CLASS_EXEC = "class_exec", DEFINE_METHOD = "define_method", ATTR_ACCESSOR = "attr_accessor",
    PUBLIC = "public", PRIVATE = "private", PROTECTED = "protected", MODULE_FUNCTION = "module_function", REQUIRE = "require", REQUIRE_RELATIVE = "require_relative", LOAD = "load",
    PUTS = "puts", PRINT = "print", P = "p", WRITE = "write", CLASS = "class", NAME = "name", FREEZE = "freeze", DUP = "dup", CLONE = "clone",
    NIL_P = "nil?", IS_A = "is_a?", KIND_OF = "kind_of?", BEGIN = "begin", END = "end", FIRST = "first", LAST = "last", MIN = "min", MAX = "max",
    KEYS = "keys", VALUES = "values", KEY_P = "key?", FETCH = "fetch", DIG = "dig", STORE = "store", DELETE = "delete", MERGE = "merge", UPDATE = "update", JOIN = "join",
    DECONSTRUCT = "deconstruct", DECONSTRUCT_KEYS = "deconstruct_keys", MAIN = "main", TOP_REQUIRED = "<top (required)>", MAIN_FRAME = "<main>",
    OBJECT = "Object", BASIC_OBJECT = "BasicObject", KERNEL = "Kernel", MODULE = "Module", CLASS_NAME = "Class", COMPARABLE = "Comparable", ENUMERABLE = "Enumerable",
    STRING = "String", SYMBOL = "Symbol", ARRAY = "Array", HASH_NAME = "Hash", INTEGER = "Integer", FLOAT = "Float", STRUCT = "Struct",
    DOLLAR_BANG = "$!", DOLLAR_AT = "$@", DOLLAR_TILDE = "$~", DOLLAR_UNDERSCORE = "$_", DOLLAR_ZERO = "$0", DOLLAR_SLASH = "$/", DOLLAR_COMMA = "$,", DOLLAR_SEMICOLON = "$;",
    DOLLAR_STDOUT = "$stdout", DOLLAR_STDERR = "$stderr", DOLLAR_STDIN = "$stdin", DOLLAR_VERBOSE = "$VERBOSE", DOLLAR_DEBUG = "$DEBUG", DOLLAR_LOAD_PATH = "$LOAD_PATH",
    DOLLAR_COLON = "$:", DOLLAR_LOADED_FEATURES = "$LOADED_FEATURES", DOLLAR_QUOTE = "$\"", DOLLAR_STAR = "$*", DOLLAR_QUESTION = "$?", DOLLAR_DOLLAR = "$$",
    KEYWORD_INIT = "keyword_init", FREEZE_KW = "freeze_kw", EXCEPTION_KW = "exception_kw", STEP = "step", BY = "by", TO = "to",
    RESCUE_BODY = "rescue", BLOCK = "block", IT = "it", ANON_REST = "*rest", ANON_KWREST = "**kwrest", ANON_BLOCK = "&block", ARITY = "arity",
    DEFAULT_PROC = "default_proc", SOURCE_LOCATION = "source_location", DETAILED_MESSAGE = "detailed_message", HIGHLIGHT = "highlight", ORDER = "order", LEVEL = "level",
    SYNC = "sync", MODE = "mode", ENCODING = "encoding", CHOMP = "chomp", HALF = "half", BASE = "base", RANDOM = "random", BY_KEY = "by_key", RECEIVER = "receiver", KEY = "key",
    REASON = "reason", EXIT_VALUE = "exit_value", RESULT = "result", STATUS = "status", SIGNO = "signo", ERRNO = "errno", NUL_BYTE = "\u{0}",
}
