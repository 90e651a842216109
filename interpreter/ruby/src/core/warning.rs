//! The Warning module: categories, and the delivery of warnings.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodBody, MethodDef, def, opt};
use crate::value::Value;

static METHODS: &[MethodDef] = &[opt("warn", warn, 1, 2)];
static SINGLETON: &[MethodDef] = &[def("[]", category, 1), def("[]=", set_category, 2)];

/// The enabled warning categories: `Warning[category]`.
struct Categories {
    deprecated: bool,
    experimental: bool,
}
impl Default for Categories {
    fn default() -> Categories {
        Categories { deprecated: false, experimental: true }
    }
}
pub(super) fn category_name(vm: &mut Vm, value: &Value) -> Res<&'static str> {
    match value {
        Value::Sym(name) if matches!(name.as_str(), "deprecated" | "experimental") => Ok(name.as_str()),
        Value::Sym(name) => Err(vm.argument_error(format!("unknown category: {name}"))),
        other => {
            let described = vm.describe(other);
            Err(vm.type_error(format!("wrong argument type {described} (expected Symbol)")))
        }
    }
}
fn category_on(vm: &mut Vm, name: &str) -> bool {
    let categories = vm.extension::<Categories>();
    if name == "deprecated" { categories.deprecated } else { categories.experimental }
}
fn category(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = category_name(vm, args.at(0))?;
    Ok(Value::bool(category_on(vm, name)))
}
fn set_category(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = category_name(vm, args.at(0))?;
    let on = args.at(1).truthy();
    let categories = vm.extension::<Categories>();
    if name == "deprecated" {
        categories.deprecated = on;
    } else {
        categories.experimental = on;
    }
    Ok(args.at(1).clone())
}
/// Warning#warn, which is called for all warnings.
fn warn(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, [category]) = args.take_keywords(vm, [Symbol::intern_static("category")])?;
    let Some(Value::Str(text)) = pos.first() else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected String)")));
    };
    if let Some(category) = category
        && !category.is_nil()
    {
        let name = category_name(vm, &category)?;
        if !category_on(vm, name) {
            return Ok(Value::Nil);
        }
    }
    let bytes = text.get(vm).bytes().to_vec();
    vm.write_stderr(&bytes)?;
    Ok(Value::Nil)
}
impl Vm {
    /// Calls `Warning.warn` with a text that ends in a newline. One that Ruby code defines with further parameters gets the category as well, even if
    /// there is none.
    pub(crate) fn deliver_warning(&mut self, text: Value, category: Option<Value>) -> Res<()> {
        let warning = Value::Class(ClassId::WARNING);
        let class = self.class_of(&warning);
        let name = Symbol::intern_static("warn");
        let takes = match self.find_method(class, name) {
            Some(id) if !matches!(self.method(id).body, MethodBody::Native(..)) => self.method_arity(id) != 1,
            _ => category.is_some(),
        };
        if !takes {
            return self.call(&warning, name, &[text]).map(drop);
        }
        let keywords =
            self.new_hash(vec![(Value::Sym(Symbol::intern_static("category")), category.unwrap_or_default())])?;
        self.call_args(&warning, name, Args::new(&[text, keywords]).with_keywords(true)).map(drop)
    }
    /// Whether warnings of `-w` are given (`$VERBOSE` is true).
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose == Some(true)
    }
    /// Whether no warnings are given (`$VERBOSE` is nil).
    pub(crate) fn is_silent(&self) -> bool {
        self.verbose.is_none()
    }
    /// Warns of something deprecated, at the current line, where `Warning[:deprecated]` is on (MRI's rb_warn_deprecated).
    pub fn warn_deprecated(&mut self, text: &str) -> Res<()> {
        if !category_on(self, "deprecated") || self.is_silent() {
            return Ok(());
        }
        self.deliver_of("deprecated", text)
    }
    /// Warns of something experimental, at the current line, where `Warning[:experimental]` is on.
    pub(crate) fn warn_experimental(&mut self, text: &str) -> Res<()> {
        if !category_on(self, "experimental") || self.is_silent() {
            return Ok(());
        }
        self.deliver_of("experimental", text)
    }
    /// Warns of something deprecated with `-w` alone: `Warning.warn` decides about the category (MRI's rb_category_warning).
    pub(crate) fn warn_verbose_deprecated(&mut self, text: &str) -> Res<()> {
        if self.is_verbose() { self.deliver_of("deprecated", text) } else { Ok(()) }
    }
    fn deliver_of(&mut self, category: &'static str, text: &str) -> Res<()> {
        let (file, line) = self.current_location().unwrap_or_else(|| ("ruby".into(), 0));
        let text = Value::str(format!("{file}:{line}: warning: {text}\n"));
        self.deliver_warning(text, Some(Value::Sym(Symbol::intern_static(category))))
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::WARNING, METHODS);
    vm.define_singleton_methods(ClassId::WARNING, SINGLETON);
    let meta = vm.meta(ClassId::WARNING);
    vm.include_module(meta, ClassId::WARNING);
}
