//! Classes and modules: tables, ancestors, cached method lookup.
//!
//! Classes live in an arena of the VM and are never freed, so a `ClassId` is a plain number and inline caches need no reference counts.
//! Ancestors are kept linearised (`mro`). A change increments the serial of the class and its descendants only, so the caches of other classes stay
//! valid.

mod ancestors;
mod listed;

pub(crate) use ancestors::Link;

use crate::Vm;
use crate::error::Res;
use crate::ivars::Ivars;
use crate::method::{Method, MethodBody, MethodDef, MethodId, Visibility};
use crate::value::{NativeData, Value};
use indexmap::{IndexMap, IndexSet};
use listed::Listed;
use rchef_syntax::Symbol;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

/// A map that keeps insertion order.
pub type OrderedMap<K, V> = IndexMap<K, V, FxBuildHasher>;

/// A class, module or singleton class, as an index into the VM's arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub u64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassKind {
    Class,
    Module,
    /// The singleton class of a class or module.
    Meta(ClassId),
    /// The singleton class of any other object.
    Singleton,
}

/// How a class or module without a name is shown.
#[derive(Clone, Debug)]
pub enum Label {
    /// A singleton class: the text of its object.
    Object(Rc<str>),
    /// The name of a constant in a module without a name, until that is named.
    Temporary(Rc<str>),
    /// A refinement: the refined class and the refining module, which may get names later.
    Refinement(ClassId, ClassId),
}

impl Label {
    /// The text of an object or constant; a refinement has one only with the names of its classes ([`Vm::class_name`]).
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Label::Object(text) | Label::Temporary(text) => Some(text),
            Label::Refinement(..) => None,
        }
    }
}

#[derive(Clone)]
pub struct Constant {
    /// The value; `Undef` for an autoload. While the autoloaded file is being loaded: the value assigned so far.
    pub value: Value,
    pub private: bool,
    pub deprecated: bool,
    /// The path to require for an autoload.
    pub autoload: Option<Rc<str>>,
    /// Where it was assigned: file and line.
    pub location: Option<(Rc<str>, u32)>,
}

/// The methods of a class, in order of definition. Natives are added when the class is first searched for a method (`method_table.rs`).
#[derive(Default)]
pub struct MethodTable {
    pub(crate) entered: OrderedMap<Symbol, MethodId>,
    /// Tables of natives that have not been added yet.
    pub(crate) waiting: Vec<Natives>,
}

/// A table of natives, and the visibility of all of them if set.
#[derive(Clone, Copy)]
pub(crate) struct Natives {
    pub(crate) table: &'static [MethodDef],
    pub(crate) visibility: Option<Visibility>,
}

impl MethodTable {
    pub(crate) fn is_empty(&self) -> bool {
        self.entered.is_empty() && self.waiting.is_empty()
    }
}

/// The `allocate` function of a class.
pub type Allocator = fn(&mut Vm, ClassId) -> Res;

pub struct ClassData {
    pub kind: ClassKind,
    /// The full name, if it has one.
    pub name: Option<Rc<str>>,
    /// Superclass; None for modules.
    pub superclass: Option<ClassId>,
    /// The singleton class, once created.
    pub meta: Option<ClassId>,
    /// What stands before it in its chain: what it has prepended.
    pub(crate) prepended: Vec<Link>,
    /// What stands behind it in its chain: what it has included.
    pub(crate) included: Vec<Link>,
    /// Its own methods; use [`Vm::own_method`] and [`Vm::own_methods`].
    pub(crate) methods: MethodTable,
    /// Constants in order of definition.
    pub consts: OrderedMap<Symbol, Constant>,
    pub cvars: Vec<(Symbol, Value)>,
    /// Instance variables of the class itself.
    pub ivars: Ivars<Value>,
    /// Native payload of the class itself.
    pub data: Option<Box<dyn NativeData>>,
    /// The ancestors, including itself (after prepended modules).
    pub mro: Rc<[ClassId]>,
    /// Classes whose caches depend on it: direct subclasses, singleton classes of subclasses, and classes that include it.
    pub dependents: IndexSet<ClassId, FxBuildHasher>,
    cache: FxHashMap<Symbol, Option<MethodId>>,
    /// What `new` of the class does, once it has been called.
    pub(crate) construction: Option<Construction>,
    /// The `allocate` function; None: inherited.
    pub allocator: Option<Allocator>,
    pub frozen: bool,
    /// How it is shown while it has no name.
    pub label: Option<Label>,
    /// Refinements defined in this module, in order: (refined class, refinement module).
    pub refinements: Vec<(ClassId, ClassId)>,
    /// For a module: what takes its place in the classes that have it farther off as well, by how often it stands farther off among their own ancestors.
    stand_ins: FxHashMap<(ClassId, usize), ClassId>,
    /// For a stand-in: the module whose place it takes.
    stands_for: Option<ClassId>,
}

macro_rules! core_classes {
    ($($id:ident $name:literal $kind:ident < $parent:ident),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // only numbers the constants below
        #[repr(u32)]
        enum Number { $($id),* }
        impl ClassId {
            $(pub const $id: ClassId = ClassId(Number::$id as u64);)*
        }
        pub(crate) const CORE_CLASSES: &[(&str, CoreKind, ClassId)] = &[$(($name, CoreKind::$kind, ClassId::$parent)),*];
    };
}

/// The kind of an entry in the table of core classes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoreKind {
    C,
    M,
}

core_classes! {
    BASIC_OBJECT "BasicObject" C < BASIC_OBJECT,
    OBJECT "Object" C < BASIC_OBJECT,
    MODULE "Module" C < OBJECT,
    CLASS "Class" C < MODULE,
    KERNEL "Kernel" M < OBJECT,
    COMPARABLE "Comparable" M < OBJECT,
    ENUMERABLE "Enumerable" M < OBJECT,
    NIL "NilClass" C < OBJECT,
    TRUE "TrueClass" C < OBJECT,
    FALSE "FalseClass" C < OBJECT,
    NUMERIC "Numeric" C < OBJECT,
    INTEGER "Integer" C < NUMERIC,
    FLOAT "Float" C < NUMERIC,
    RATIONAL "Rational" C < NUMERIC,
    COMPLEX "Complex" C < NUMERIC,
    STRING "String" C < OBJECT,
    SYMBOL "Symbol" C < OBJECT,
    ARRAY "Array" C < OBJECT,
    HASH "Hash" C < OBJECT,
    RANGE "Range" C < OBJECT,
    PROC "Proc" C < OBJECT,
    METHOD "Method" C < OBJECT,
    UNBOUND_METHOD "UnboundMethod" C < OBJECT,
    BINDING "Binding" C < OBJECT,
    REGEXP "Regexp" C < OBJECT,
    MATCH_DATA "MatchData" C < OBJECT,
    STRUCT "Struct" C < OBJECT,
    TIME "Time" C < OBJECT,
    ENCODING "Encoding" C < OBJECT,
    IO "IO" C < OBJECT,
    FILE "File" C < IO,
    DIR "Dir" C < OBJECT,
    ENUMERATOR "Enumerator" C < OBJECT,
    LAZY "Enumerator::Lazy" C < ENUMERATOR,
    YIELDER "Enumerator::Yielder" C < OBJECT,
    GENERATOR "Enumerator::Generator" C < OBJECT,
    CHAIN "Enumerator::Chain" C < ENUMERATOR,
    ARITHMETIC_SEQUENCE "Enumerator::ArithmeticSequence" C < ENUMERATOR,
    FIBER "Fiber" C < OBJECT,
    THREAD "Thread" C < OBJECT,
    MUTEX "Thread::Mutex" C < OBJECT,
    QUEUE "Thread::Queue" C < OBJECT,
    RANDOM "Random" C < OBJECT,
    PROCESS "Process" M < OBJECT,
    PROCESS_STATUS "Process::Status" C < OBJECT,
    MATH "Math" M < OBJECT,
    GC "GC" M < OBJECT,
    OBJECT_SPACE "ObjectSpace" M < OBJECT,
    SIGNAL "Signal" M < OBJECT,
    MARSHAL "Marshal" M < OBJECT,
    WARNING "Warning" M < OBJECT,
    ERRNO "Errno" M < OBJECT,
    FILE_TEST "FileTest" M < OBJECT,
    LOCATION "Thread::Backtrace::Location" C < OBJECT,
    EXCEPTION "Exception" C < OBJECT,
    NO_MEMORY_ERROR "NoMemoryError" C < EXCEPTION,
    SCRIPT_ERROR "ScriptError" C < EXCEPTION,
    LOAD_ERROR "LoadError" C < SCRIPT_ERROR,
    NOT_IMPLEMENTED_ERROR "NotImplementedError" C < SCRIPT_ERROR,
    SYNTAX_ERROR "SyntaxError" C < SCRIPT_ERROR,
    SECURITY_ERROR "SecurityError" C < EXCEPTION,
    SIGNAL_EXCEPTION "SignalException" C < EXCEPTION,
    INTERRUPT "Interrupt" C < SIGNAL_EXCEPTION,
    SYSTEM_EXIT "SystemExit" C < EXCEPTION,
    SYSTEM_STACK_ERROR "SystemStackError" C < EXCEPTION,
    STANDARD_ERROR "StandardError" C < EXCEPTION,
    ARGUMENT_ERROR "ArgumentError" C < STANDARD_ERROR,
    UNCAUGHT_THROW_ERROR "UncaughtThrowError" C < ARGUMENT_ERROR,
    ENCODING_ERROR "EncodingError" C < STANDARD_ERROR,
    COMPATIBILITY_ERROR "Encoding::CompatibilityError" C < ENCODING_ERROR,
    UNDEFINED_CONVERSION_ERROR "Encoding::UndefinedConversionError" C < ENCODING_ERROR,
    INVALID_BYTE_SEQUENCE_ERROR "Encoding::InvalidByteSequenceError" C < ENCODING_ERROR,
    CONVERTER_NOT_FOUND_ERROR "Encoding::ConverterNotFoundError" C < ENCODING_ERROR,
    FIBER_ERROR "FiberError" C < STANDARD_ERROR,
    IO_ERROR "IOError" C < STANDARD_ERROR,
    EOF_ERROR "EOFError" C < IO_ERROR,
    INDEX_ERROR "IndexError" C < STANDARD_ERROR,
    KEY_ERROR "KeyError" C < INDEX_ERROR,
    STOP_ITERATION "StopIteration" C < INDEX_ERROR,
    CLOSED_QUEUE_ERROR "ClosedQueueError" C < STOP_ITERATION,
    LOCAL_JUMP_ERROR "LocalJumpError" C < STANDARD_ERROR,
    NAME_ERROR "NameError" C < STANDARD_ERROR,
    NO_METHOD_ERROR "NoMethodError" C < NAME_ERROR,
    RANGE_ERROR "RangeError" C < STANDARD_ERROR,
    FLOAT_DOMAIN_ERROR "FloatDomainError" C < RANGE_ERROR,
    REGEXP_ERROR "RegexpError" C < STANDARD_ERROR,
    RUNTIME_ERROR "RuntimeError" C < STANDARD_ERROR,
    FROZEN_ERROR "FrozenError" C < RUNTIME_ERROR,
    SYSTEM_CALL_ERROR "SystemCallError" C < STANDARD_ERROR,
    THREAD_ERROR "ThreadError" C < STANDARD_ERROR,
    TYPE_ERROR "TypeError" C < STANDARD_ERROR,
    ZERO_DIVISION_ERROR "ZeroDivisionError" C < STANDARD_ERROR,
    NO_MATCHING_PATTERN_ERROR "NoMatchingPatternError" C < STANDARD_ERROR,
    NO_MATCHING_PATTERN_KEY_ERROR "NoMatchingPatternKeyError" C < NO_MATCHING_PATTERN_ERROR,
}

/// What Class#new does for instances of a class; valid while the class has the same key.
#[derive(Clone, Copy)]
pub(crate) struct Construction {
    /// The class's entry in [`Vm::class_keys`].
    pub key: u64,
    pub allocator: Allocator,
    pub initialize: MethodId,
    /// The number of instance variables that an instance had after `initialize`.
    pub variables: usize,
}

impl ClassData {
    pub(crate) fn new(kind: ClassKind, superclass: Option<ClassId>) -> ClassData {
        ClassData {
            kind,
            name: None,
            superclass,
            meta: None,
            prepended: Vec::new(),
            included: Vec::new(),
            methods: MethodTable::default(),
            consts: OrderedMap::default(),
            cvars: Vec::new(),
            ivars: Ivars::new(),
            data: None,
            mro: Rc::from([]),
            dependents: IndexSet::default(),
            cache: FxHashMap::default(),
            construction: None,
            allocator: None,
            frozen: false,
            label: None,
            refinements: Vec::new(),
            stand_ins: FxHashMap::default(),
            stands_for: None,
        }
    }
    /// Whether it is a singleton class, of a class or another object.
    pub fn is_singleton(&self) -> bool {
        matches!(self.kind, ClassKind::Meta(_) | ClassKind::Singleton)
    }
    pub fn is_module(&self) -> bool {
        self.kind == ClassKind::Module
    }
}

impl Vm {
    #[inline(always)]
    pub fn class(&self, id: ClassId) -> &ClassData {
        &self.classes[id.0 as usize]
    }
    /// The number of classes and modules; ids are smaller than this.
    pub fn class_count(&self) -> u64 {
        self.classes.len() as u64
    }
    #[inline(always)]
    pub fn class_mut(&mut self, id: ClassId) -> &mut ClassData {
        &mut self.classes[id.0 as usize]
    }

    /// Creates a class without a name. Its singleton class is created when first needed; `inherited` is not called.
    pub fn new_class(&mut self, superclass: ClassId) -> ClassId {
        let id = self.push_class(ClassData::new(ClassKind::Class, Some(superclass)));
        self.class_mut(superclass).dependents.insert(id);
        self.rebuild_mro(id);
        id
    }
    /// Creates a module without a name.
    pub fn new_module(&mut self) -> ClassId {
        let id = self.push_class(ClassData::new(ClassKind::Module, None));
        self.rebuild_mro(id);
        id
    }
    pub(crate) fn push_class(&mut self, data: ClassData) -> ClassId {
        let id = ClassId(self.classes.len() as u64);
        self.classes.push(data);
        self.class_keys.push(id.0 << 32);
        self.renew_key(id);
        id
    }

    /// Defines or finds a class in a module, for native libraries. `outer` is `ClassId::OBJECT` at the top level.
    pub fn define_class(&mut self, outer: ClassId, name: &'static str, superclass: ClassId) -> ClassId {
        let symbol = Symbol::intern_static(name);
        if let Some(Value::Class(id)) = self.class(outer).consts.get(&symbol).map(|constant| &constant.value) {
            return *id;
        }
        let id = self.new_class(superclass);
        self.const_set(outer, symbol, Value::Class(id));
        id
    }
    /// Defines or finds a module in a module, for native libraries.
    pub fn define_module(&mut self, outer: ClassId, name: &'static str) -> ClassId {
        let symbol = Symbol::intern_static(name);
        if let Some(Value::Class(id)) = self.class(outer).consts.get(&symbol).map(|constant| &constant.value) {
            return *id;
        }
        let id = self.new_module();
        self.const_set(outer, symbol, Value::Class(id));
        id
    }

    /// Sets a constant, which gives a class or module without a name its name.
    pub fn const_set(&mut self, outer: ClassId, name: Symbol, value: Value) {
        self.const_set_under(outer, name, value, None);
    }
    /// The same for one that warns of its use.
    pub(crate) fn const_set_deprecated(&mut self, outer: ClassId, name: Symbol, value: Value) {
        self.const_set(outer, name, value);
        if let Some(constant) = self.class_mut(outer).consts.get_mut(&name) {
            constant.deprecated = true;
        }
    }
    /// As [`Self::const_set`]. If `autoload` is given, its file is being loaded, and only the loading thread sees the value until it is done.
    pub(crate) fn const_set_under(&mut self, outer: ClassId, name: Symbol, value: Value, autoload: Option<Rc<str>>) {
        if let Value::Class(id) = value
            && self.class(id).name.is_none()
            && !self.class(id).is_singleton()
        {
            let full = if outer == ClassId::OBJECT {
                Some(Rc::from(name.as_str()))
            } else {
                self.class(outer).name.as_deref().map(|outer| Rc::from(format!("{outer}::{name}")))
            };
            if full.is_some() {
                self.class_mut(id).name = full;
                self.name_nested(id);
            } else if self.class(id).label.is_none() {
                // temporary until `outer` has a name
                let outer =
                    if self.class(outer).is_singleton() { self.nameless(outer) } else { self.class_name(outer) };
                self.class_mut(id).label = Some(Label::Temporary(Rc::from(format!("{outer}::{name}"))));
            }
        }
        let old = self.class(outer).consts.get(&name);
        let private = old.is_some_and(|old| old.private);
        // an assignment undoes `deprecate_constant`, except for that of the file that is loaded for it
        let deprecated = autoload.is_some() && old.is_some_and(|old| old.deprecated);
        let location = self.current_location();
        let constant = Constant { value, private, deprecated, autoload, location };
        self.class_mut(outer).consts.insert(name, constant);
        self.const_serial += 1;
    }

    /// Names the classes in the constants of a class that has just been named.
    fn name_nested(&mut self, id: ClassId) {
        let nested: Vec<(Symbol, ClassId)> = (self.class(id).consts.iter())
            .filter_map(|(name, constant)| match constant.value {
                Value::Class(inner) if self.class(inner).name.is_none() => Some((*name, inner)),
                _ => None,
            })
            .collect();
        for (name, inner) in nested {
            let full = self.class(id).name.as_deref().map(|outer| Rc::from(format!("{outer}::{name}")));
            self.class_mut(inner).name = full;
            self.name_nested(inner);
        }
    }

    /// A constant of the class itself, without lookup in ancestors and autoload.
    pub fn const_own(&self, outer: ClassId, name: Symbol) -> Option<&Constant> {
        self.class(outer).consts.get(&name)
    }

    /// The singleton class of a class if it exists, else the nearest one that it inherits from.
    #[inline]
    pub(crate) fn meta_of(&self, id: ClassId) -> ClassId {
        let class = self.class(id);
        if let Some(meta) = class.meta {
            return meta;
        }
        self.meta_of_slow(id)
    }

    #[cold]
    fn meta_of_slow(&self, id: ClassId) -> ClassId {
        let mut at = id;
        loop {
            let class = self.class(at);
            if let Some(meta) = class.meta {
                return meta;
            }
            match class.kind {
                ClassKind::Module => return ClassId::MODULE,
                _ => match class.superclass {
                    Some(superclass) => at = superclass,
                    None => return ClassId::CLASS,
                },
            }
        }
    }

    /// The singleton class of a class or module, created if necessary.
    pub fn meta(&mut self, id: ClassId) -> ClassId {
        if let Some(meta) = self.class(id).meta {
            return meta;
        }
        let superclass = match self.class(id).kind {
            ClassKind::Module => ClassId::MODULE,
            ClassKind::Class | ClassKind::Meta(_) | ClassKind::Singleton => match self.class(id).superclass {
                Some(superclass) => self.meta(superclass),
                None => ClassId::CLASS,
            },
        };
        let meta = self.push_class(ClassData::new(ClassKind::Meta(id), Some(superclass)));
        self.class_mut(superclass).dependents.insert(meta);
        self.class_mut(id).meta = Some(meta);
        self.rebuild_mro(meta);
        meta
    }

    /// The singleton class of an object; None for numbers and symbols.
    pub fn singleton_class(&mut self, value: &Value) -> Option<ClassId> {
        Some(match value {
            Value::Class(id) => self.meta(*id),
            Value::Nil => ClassId::NIL,
            Value::True => ClassId::TRUE,
            Value::False => ClassId::FALSE,
            Value::Int(_) | Value::Float(_) | Value::Sym(_) | Value::Big(_) | Value::Undef => return None,
            Value::Str(gc) if gc.flag(crate::heap::INTERNED) => return None,
            _ => {
                let class = self.class_of(value);
                if self.class(class).kind == ClassKind::Singleton {
                    return Some(class);
                }
                let mut data = ClassData::new(ClassKind::Singleton, Some(class));
                data.label = Some(Label::Object(Rc::from(self.default_to_s(value))));
                data.frozen = self.frozen(value);
                let id = self.push_class(data);
                self.class_mut(class).dependents.insert(id);
                self.rebuild_mro(id);
                match value {
                    Value::Str(gc) => gc.set_class(id),
                    Value::Array(gc) => gc.set_class(id),
                    Value::Hash(gc) => gc.set_class(id),
                    Value::Range(gc) => gc.set_class(id),
                    Value::Proc(gc) => gc.set_class(id),
                    Value::Object(gc) => gc.set_class(id),
                    _ => return None,
                }
                id
            }
        })
    }

    /// The first ancestor that is not a singleton class.
    #[inline]
    pub fn real_class(&self, id: ClassId) -> ClassId {
        let mut at = id;
        while self.class(at).is_singleton() {
            match self.class(at).kind {
                ClassKind::Meta(of) if !self.class(of).is_module() => return ClassId::CLASS,
                _ => match self.class(at).superclass {
                    Some(superclass) => at = superclass,
                    None => return at,
                },
            }
        }
        at
    }

    /// For code that defines many classes and methods but calls little Ruby: caches are cleared once at the end instead of after every definition.
    pub fn in_bulk<R>(&mut self, body: impl FnOnce(&mut Vm) -> R) -> R {
        let outer = std::mem::replace(&mut self.in_bulk, true);
        let result = body(self);
        self.in_bulk = outer;
        if !outer {
            for class in &mut self.classes {
                class.cache.clear();
            }
            for key in &mut self.class_keys {
                *key += 1;
            }
        }
        result
    }

    /// Invalidates the caches of call sites for a class.
    fn renew_key(&mut self, id: ClassId) {
        self.class_keys[id.0 as usize] += 1;
    }

    /// Invalidates the lookup of a name in a class and its descendants.
    pub(crate) fn touch(&mut self, id: ClassId, name: Symbol) {
        if self.in_bulk {
            return;
        }
        if self.class(id).dependents.is_empty() {
            return self.forget_lookup(id, name);
        }
        for holder in self.with_dependents(id).into_list() {
            self.forget_lookup(ClassId(holder), name);
        }
    }
    fn forget_lookup(&mut self, id: ClassId, name: Symbol) {
        self.renew_key(id);
        self.class_mut(id).cache.remove(&name);
    }
    /// A class and all that depend on it, each once by however many ways.
    fn with_dependents(&self, id: ClassId) -> Listed {
        let mut found = Listed::default();
        found.insert(id.0);
        let mut at = 0;
        while let Some(holder) = found.get(at) {
            for dependent in &self.class(ClassId(holder)).dependents {
                found.insert(dependent.0);
            }
            at += 1;
        }
        found
    }

    /// Adds or replaces a method, without calling hooks.
    pub fn add_method(&mut self, class: ClassId, name: Symbol, method: Method) -> MethodId {
        let id = MethodId(self.methods.len() as u32);
        self.methods.push(method);
        self.put_own_method(class, name, id);
        self.note_redefinition(class, Some(name));
        self.touch(class, name);
        self.update_stand_ins(class, name);
        id
    }

    /// Looks up a method for instances of a class, regardless of visibility. None if it is undefined.
    #[inline]
    pub fn find_method(&mut self, class: ClassId, name: Symbol) -> Option<MethodId> {
        if let Some(found) = self.class(class).cache.get(&name) {
            return *found;
        }
        let found = self.find_method_uncached(class, name, 0);
        if !self.in_bulk {
            self.class_mut(class).cache.insert(name, found);
        }
        found
    }

    /// Searches the ancestors from an index on.
    fn find_method_uncached(&mut self, class: ClassId, name: Symbol, from: usize) -> Option<MethodId> {
        for position in from..self.class(class).mro.len() {
            let ancestor = self.class(class).mro[position];
            if let Some(id) = self.own_method(ancestor, name) {
                return match self.method(id).body {
                    MethodBody::Undefined => None,
                    _ => Some(id),
                };
            }
        }
        None
    }

    /// The method that `super` calls from a method owned by `owner`.
    pub fn find_super_method(&mut self, class: ClassId, owner: ClassId, name: Symbol) -> Option<MethodId> {
        let position = self.class(class).mro.iter().position(|ancestor| *ancestor == owner)?;
        self.find_method_uncached(class, name, position + 1)
    }

    /// All methods that there are or were.
    pub(crate) fn all_methods(&self) -> impl Iterator<Item = &Method> {
        self.methods.iter()
    }
    #[inline(always)]
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.0 as usize]
    }

    /// Whether a class is equal to, descends from or includes another.
    #[inline]
    pub fn is_subclass(&self, class: ClassId, ancestor: ClassId) -> bool {
        class == ancestor || self.class(class).mro.contains(&ancestor)
    }
    #[inline]
    pub fn is_a(&self, value: &Value, class: ClassId) -> bool {
        self.is_subclass(self.class_of(value), class)
    }

    /// The class's name, or how a class without one is shown.
    pub fn class_name(&self, id: ClassId) -> String {
        let class = self.class(id);
        match class.kind {
            ClassKind::Meta(of) => format!("#<Class:{}>", self.class_name(of)),
            ClassKind::Singleton => format!("#<Class:{}>", class.label.as_ref().and_then(Label::text).unwrap_or("?")),
            ClassKind::Class | ClassKind::Module => match (&class.name, &class.label) {
                // a refinement may refine a refinement, and so on
                (_, Some(Label::Refinement(..))) if self.is_stack_low() => "#<refinement:...>".to_string(),
                (_, Some(Label::Refinement(refined, owner))) => {
                    format!("#<refinement:{}@{}>", self.class_name(*refined), self.class_name(*owner))
                }
                (Some(name), _) => name.to_string(),
                (None, label) => {
                    let text = label.as_ref().and_then(Label::text);
                    text.map_or_else(|| self.nameless(id), str::to_string)
                }
            },
        }
    }
    /// How `inspect` shows a class or module without a name.
    fn nameless(&self, id: ClassId) -> String {
        let kind = if self.class(id).kind == ClassKind::Module { "Module" } else { "Class" };
        format!("#<{kind}:0x{:016x}>", 0x7f00_0000_0000_u64 + id.0 * 40)
    }
    /// The name of a value's class.
    pub fn class_name_of(&self, value: &Value) -> String {
        self.class_name(self.real_class_of(value))
    }

    /// The name of its singleton class, where it has one that is no secret of this engine, else that of its class: how some of MRI's messages name it.
    pub fn own_class_name(&mut self, value: &Value) -> String {
        match value {
            Value::Class(id) if !self.class(*id).is_module() => format!("#<Class:{}>", self.class_name(*id)),
            _ => self.class_name(self.class_of(value)),
        }
    }

    /// The class in the constant with this path (`A::B`), if it exists.
    pub fn class_named(&self, path: &str) -> Option<ClassId> {
        let mut at = ClassId::OBJECT;
        for part in path.split("::") {
            let symbol = Symbol::lookup(part.as_bytes())?;
            match self.class(at).consts.get(&symbol)?.value {
                Value::Class(id) => at = id,
                _ => return None,
            }
        }
        Some(at)
    }

    pub(crate) fn visibility(&self, id: MethodId) -> Visibility {
        self.method(id).visibility
    }

    /// The `allocate` function of a class, its own or inherited.
    pub(crate) fn allocator(&self, class: ClassId) -> Option<Allocator> {
        self.class(class).mro.iter().find_map(|ancestor| self.class(*ancestor).allocator)
    }

    /// `#<Foo:0x…>`, the result of Kernel#to_s.
    pub fn default_to_s(&mut self, value: &Value) -> String {
        let number = self.shown_number(value);
        format!("#<{}:0x{number:016x}>", self.class_name_of(value))
    }
    /// The number shown where MRI shows an address: computed from the object_id, and object_ids are assigned in the order of first use. It reveals
    /// nothing about memory, and is equal in every run of the same program.
    pub fn shown_number(&mut self, value: &Value) -> u64 {
        self.addresses_shown.set(true);
        0x7f10_0000_0000 + self.object_id(value) as u64 * 5
    }

    /// Creates the core classes; their ids are their indices in the table.
    pub(crate) fn boot_classes(&mut self) {
        for (_, kind, parent) in CORE_CLASSES {
            let (kind, superclass) = match kind {
                CoreKind::C => (ClassKind::Class, Some(*parent)),
                CoreKind::M => (ClassKind::Module, None),
            };
            self.push_class(ClassData::new(kind, superclass));
        }
        self.class_mut(ClassId::BASIC_OBJECT).superclass = None;
        for index in 1..CORE_CLASSES.len() {
            if let Some(superclass) = self.classes[index].superclass {
                self.class_mut(superclass).dependents.insert(ClassId(index as u64));
            }
        }
        self.class_mut(ClassId::OBJECT).included.push(Link::own(ClassId::KERNEL));
        self.class_mut(ClassId::KERNEL).dependents.insert(ClassId::OBJECT);
        self.class_mut(ClassId::KERNEL).mro = Rc::from([ClassId::KERNEL]);
        self.rebuild_mro(ClassId::BASIC_OBJECT);
        for (index, (path, kind, _)) in CORE_CLASSES.iter().enumerate() {
            let id = ClassId(index as u64);
            if *kind == CoreKind::M {
                self.rebuild_mro(id);
            }
            // one whose outer class comes later keeps its path as name all the same
            self.class_mut(id).name = Some(Rc::from(*path));
            let (outer, name) = match path.rsplit_once("::") {
                Some((outer, name)) => (self.class_named(outer).unwrap_or(ClassId::OBJECT), name),
                None => (ClassId::OBJECT, *path),
            };
            self.const_set(outer, Symbol::intern_static(name), Value::Class(id));
        }
        for (short, id) in [("Mutex", ClassId::MUTEX), ("Queue", ClassId::QUEUE)] {
            self.const_set(ClassId::OBJECT, Symbol::intern_static(short), Value::Class(id));
        }
        // for classes that inherit from BasicObject only
        self.const_set(
            ClassId::BASIC_OBJECT,
            Symbol::intern_static("BasicObject"),
            Value::Class(ClassId::BASIC_OBJECT),
        );
        for class in [ClassId::BASIC_OBJECT, ClassId::OBJECT, ClassId::MODULE, ClassId::CLASS] {
            self.meta(class);
        }
    }
}

/// The class or module that is the receiver of a method of Module.
pub(crate) fn this_class(this: &Value) -> ClassId {
    match this {
        Value::Class(id) => *id,
        _ => ClassId::OBJECT,
    }
}

/// The allocator of classes that Ruby code cannot instantiate.
pub(crate) fn no_allocator(vm: &mut Vm, class: ClassId) -> Res {
    let shown = vm.class_name(class);
    Err(vm.type_error(format!("allocator undefined for {shown}")))
}
