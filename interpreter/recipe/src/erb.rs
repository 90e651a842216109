//! Rendering of templates: `Chef::Mixin::Template`. `rchef_stdlib::erubis` translates them to Ruby source.

pub use crate::cookbook::wanted;
use crate::names::N;
use crate::run::class;
pub use rchef_model::specificity::Wanted;
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::embed::library::Library;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Unwind, Value, Vm, def, opt, sym};
use rchef_stdlib::erubis::{self, Dialect};

/// The Ruby source of a template; evaluated with the context object as self, it gives the text.
fn compile(template: &[u8]) -> Vec<u8> {
    let dialect = Dialect { escape_by: "::Chef::Mixin::Template.escape_xml", ..Dialect::default() };
    erubis::compile(template, &dialect)
}

/// Renders a template; with a path, backtraces refer to that file. Errors become `Chef::Mixin::Template::TemplateError`. A template that is not in UTF-8
/// is one of bytes, as all are in Chef.
pub fn render(vm: &mut Vm, template: &[u8], path: Option<&str>, context: &Value) -> Res<Vec<u8>> {
    let source = compile(template);
    let result = vm.rescue(
        ClassId::EXCEPTION,
        |vm| {
            let definee = Definee::SingletonOf(context.clone());
            let file = path.unwrap_or(NO_FILE);
            match std::str::from_utf8(&source) {
                Ok(_) => vm.run_string_as(&source, file, context, definee),
                Err(_) => vm.run_bytes_as(&source, file, context, definee),
            }
        },
        |vm, original| {
            let class = vm.class_named("Chef::Mixin::Template::TemplateError").unwrap_or(ClassId::RUNTIME_ERROR);
            let file = path.map(|path| (Value::Sym(Symbol::intern_static("filename")), Value::str(path)));
            let options = vm.new_hash(file.into_iter().collect())?;
            let given = [original.clone(), Value::bytes(template), context.clone(), options];
            let made = vm.call(&Value::Class(class), sym::NEW, &given)?;
            let backtrace = vm.call(&original, sym::BACKTRACE, &[])?;
            vm.call(&made, sym::SET_BACKTRACE, &[backtrace])?;
            Err(Unwind::Raise(made).into())
        },
    )?;
    let text = vm.to_s(&result)?.get(vm).bytes().to_vec();
    Ok(if on_windows(vm)? { with_windows_ends(&text) } else { text })
}
/// The file name in backtraces of a template that does not come from a file.
const NO_FILE: &str = "(erubis)";

fn on_windows(vm: &mut Vm) -> Res<bool> {
    match vm.class_named("ChefUtils") {
        Some(utils) => Ok(vm.call_name(&Value::Class(utils), "windows?", &[])?.truthy()),
        None => Ok(false),
    }
}
/// Converts all line endings to those of Windows.
fn with_windows_ends(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 32);
    for &byte in text {
        if byte == b'\n' && out.last() != Some(&b'\r') {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

/// A context object with `variables` as instance variables, extended by the helper modules.
pub fn context(vm: &mut Vm, variables: &[(Symbol, Value)], modules: &[Value]) -> Res {
    let made = Value::object(context_class(vm)?);
    for (name, value) in variables {
        vm.ivar_set(&made, Symbol::intern(&format!("@{name}")), value.clone());
    }
    vm.ivar_set(&made, i_modules(), Value::array(Vec::new()));
    extend(vm, &made, modules)?;
    Ok(made)
}

/// `Chef::Mixin::Template::TemplateContext`, loaded on first use because its superclass is Ruby source.
fn context_class(vm: &mut Vm) -> Res<ClassId> {
    let outer = vm.class_named("Chef::Mixin::Template").unwrap_or(ClassId::OBJECT);
    match vm.const_get_from(outer, Symbol::intern_static(CONTEXT_NAME), false)? {
        Some(Value::Class(class)) => Ok(class),
        _ => Err(vm.runtime_error("Chef::Mixin::Template::TemplateContext is not a class")),
    }
}
const CONTEXT_NAME: &str = "TemplateContext";
const CONTEXT_FEATURE: &str = "chef/rchef/template_context";

fn load_context(vm: &mut Vm) -> Res<()> {
    rchef_ruby::embed::load::require(vm, "erubis/context")?;
    let module = vm.class_named("Chef::Mixin::Template").unwrap_or(ClassId::OBJECT);
    let superclass = vm.class_named("Erubis::Context").unwrap_or(ClassId::OBJECT);
    let context = vm.new_class(superclass);
    vm.const_set(module, Symbol::intern_static(CONTEXT_NAME), Value::Class(context));
    vm.define_methods(context, CONTEXT);
    if let Some(utils) = vm.class_named("ChefUtils") {
        vm.include_module(context, utils);
    }
    Ok(())
}

fn i_modules() -> Symbol {
    Symbol::intern_static("@_extension_modules")
}
fn extend(vm: &mut Vm, context: &Value, modules: &[Value]) -> Res<()> {
    for module in modules {
        vm.call(context, sym::EXTEND, std::slice::from_ref(module))?;
        let list = vm.ivar_get(context, i_modules()).unwrap_or_default();
        vm.call(&list, sym::LSHIFT, std::slice::from_ref(module))?;
    }
    Ok(())
}

/// The path of a template (or cookbook file).
///
/// # Errors
/// FileNotFound, which lists the paths that were tried.
pub fn locate(vm: &mut Vm, cookbook: &str, segment: &str, wanted: &Wanted) -> Res<String> {
    if let Some(found) = crate::cookbook::find_file(vm, cookbook, segment, wanted)? {
        return Ok(found);
    }
    let found = crate::cookbook::in_run(vm, cookbook)?;
    let facts = crate::cookbook::facts(vm)?;
    let prefix = format!("{segment}/");
    let has: Vec<&str> = found.files.iter().map(String::as_str).filter(|path| path.starts_with(&prefix)).collect();
    let text = wanted.missing(&facts, (&found.name, &found.metadata.version), segment, &has);
    let error = crate::run::chef_error(vm, "FileNotFound", text);
    let (cookbook, version) = (found.name.clone(), found.metadata.version.clone());
    let paths = wanted.listed(&facts, segment);
    Err(crate::run::about(vm, error, crate::run::Subject::File { cookbook, version, paths }))
}

static CONTEXT: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1),
    def("node", node, 0),
    opt("render", render_partial, 1, 2),
    def("cookbook_name", read_cookbook_name, 0),
    def("recipe_name", read_recipe_name, 0),
    def("recipe_line_string", read_recipe_line_string, 0),
    def("recipe_path", read_recipe_path, 0),
    def("recipe_line", read_recipe_line, 0),
    def("template_name", read_template_name, 0),
    def("template_path", read_template_path, 0),
    def("_extension_modules", read_modules, 0),
    opt("_extend_modules", extend_modules, 1, 1),
    def("render_template_from_string", render_text, 1),
    def("render_template", render_file, 1),
    def("[]", at, 1),
    def("[]=", put, 2),
    def("inspect", inspect, 0),
];

macro_rules! readers {
    ($($name:ident $slot:literal),* $(,)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            Ok(vm.ivar_get(this, Symbol::intern_static($slot)).unwrap_or_default())
        })*
    };
}
readers! {
    read_cookbook_name "@cookbook_name", read_recipe_name "@recipe_name", read_recipe_line_string "@recipe_line_string", read_recipe_path "@recipe_path",
    read_recipe_line "@recipe_line", read_template_name "@template_name", read_template_path "@template_path", read_modules "@_extension_modules",
    read_original "@original_exception", read_context "@context", read_options "@options",
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Value::Hash(hash) = args.at(0) {
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            let key = vm.to_name(&key)?;
            vm.ivar_set(this, Symbol::intern(&format!("@{key}")), value);
        }
    }
    vm.ivar_set(this, i_modules(), Value::array(Vec::new()));
    Ok(Value::Nil)
}
fn slot(vm: &mut Vm, name: &Value) -> Res<Symbol> {
    let name = vm.to_name(name)?;
    Ok(Symbol::intern(&format!("@{name}")))
}
fn at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = slot(vm, args.at(0))?;
    Ok(vm.ivar_get(this, name).unwrap_or_default())
}
fn put(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = slot(vm, args.at(0))?;
    vm.ivar_set(this, name, args.at(1).clone());
    Ok(args.at(1).clone())
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (template, cookbook) = (
        vm.ivar_get(this, Symbol::intern_static("@template_name")).unwrap_or_default(),
        vm.ivar_get(this, N.i_cookbook_name).unwrap_or_default(),
    );
    let (template, cookbook) = (vm.inspect(&template)?, vm.inspect(&cookbook)?);
    Ok(Value::str(format!("#<{} template_name={template} cookbook_name={cookbook}>", vm.class_name_of(this))))
}
fn node(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match vm.ivar_get(this, N.i_node) {
        Some(node) if node.truthy() => Ok(node),
        _ => Err(vm.runtime_error(
            "Could not find a value for node. If you are explicitly setting variables in a template, include a node variable if you plan to use it.",
        )),
    }
}
fn extend_modules(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let modules = vm.to_array(args.at(0))?;
    extend(vm, this, &modules)?;
    Ok(args.at(0).clone())
}
fn render_text(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let template = vm.to_s(args.at(0))?.get(vm).bytes().to_vec();
    Ok(utf8(render(vm, &template, None, this)?))
}
fn render_file(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let path = vm.to_path(args.at(0))?;
    let template = crate::run::read_file(vm, &path)?;
    Ok(utf8(render(vm, &template, Some(&path), this)?))
}
fn utf8(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => Value::str(text),
        Err(error) => Value::bytes(error.into_bytes()),
    }
}
/// The path of a template's `source`: on the machine if `local`, else in the cookbook.
///
/// # Errors
/// FileNotFound.
pub fn source_path(vm: &mut Vm, cookbook: &str, wanted: &Wanted, local: bool) -> Res<String> {
    if local { Ok(wanted.first().to_string()) } else { locate(vm, cookbook, "templates", wanted) }
}

/// `render "partial.erb", variables: {}, cookbook: "x", local: true, source: "y"`.
fn render_partial(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let finder = Symbol::intern_static("@_template_cookbook");
    let Some(own) = vm.ivar_get(this, finder) else {
        return Err(vm.runtime_error("You cannot render partials in this context"));
    };
    let name = vm.to_s_text(args.at(0))?;
    let options = match args.get(1) {
        Some(Value::Hash(hash)) => Some(hash.clone()),
        _ => None,
    };
    let option = |vm: &mut Vm, key: &str| {
        options.as_ref().and_then(|hash| vm.hash_get_sym(hash, Symbol::intern(key))).unwrap_or_default()
    };
    let (variables, cookbook, source, local) =
        (option(vm, "variables"), option(vm, "cookbook"), option(vm, "source"), option(vm, "local"));
    let cookbook = vm.to_s_text(if cookbook.truthy() { &cookbook } else { &own })?;
    let name = if source.truthy() { vm.to_s_text(&source)? } else { name };
    let mut pairs = Vec::new();
    if let Value::Hash(hash) = &variables {
        let given: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in given {
            pairs.push((vm.to_name(&key)?, value));
        }
    } else {
        for name in vm.ivar_names(this) {
            let value = vm.ivar_get(this, name).unwrap_or_default();
            pairs.push((Symbol::intern(name.as_str().trim_start_matches('@')), value));
        }
    }
    if let Some(node) = vm.ivar_get(this, N.i_node) {
        pairs.push((N.node, node));
    }
    pairs.push((Symbol::intern_static("_template_cookbook"), own));
    let modules = vm.ivar_get(this, i_modules()).unwrap_or_default();
    let modules = vm.to_array(&modules)?;
    let made = context(vm, &pairs, &modules)?;
    let path = source_path(vm, &cookbook, &Wanted::Name(name), local.truthy())?;
    let template = crate::run::read_file(vm, &path)?;
    Ok(utf8(render(vm, &template, Some(&path), &made)?))
}

static ERROR: &[MethodDef] = &[
    opt("initialize", error_initialize, 3, 4),
    def("original_exception", read_original, 0),
    def("context", read_context, 0),
    def("options", read_options, 0),
    def("message", error_message, 0),
    def("line_number", line_number, 0),
    def("source_location", source_location, 0),
    def("source_listing", source_listing, 0),
    def("to_s", error_to_s, 0),
];

/// How many characters of the original message are told: a NoMethodError may show all of a node.
const MAX_MESSAGE_LENGTH: i64 = 10_000;

fn error_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (at, name) in ["@original_exception", "@template", "@context", "@options"].into_iter().enumerate() {
        vm.ivar_set(this, Symbol::intern_static(name), args.get(at).cloned().unwrap_or_default());
    }
    Ok(Value::Nil)
}
fn error_message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let original = read_original(vm, this, args)?;
    let message = vm.call(&original, sym::MESSAGE, &[])?;
    let length = vm.call_name(&message, "length", &[])?;
    let length = vm.to_int(&length)?;
    if length <= MAX_MESSAGE_LENGTH {
        return Ok(message);
    }
    let more = format!("\n... [truncated {} characters]", length - MAX_MESSAGE_LENGTH);
    let kept = vm.call(&message, sym::AREF, &[Value::Int(0), Value::Int(MAX_MESSAGE_LENGTH)])?;
    vm.call_name(&kept, "+", &[Value::str(more)])
}
fn line_of(vm: &mut Vm, this: &Value) -> Res<Option<usize>> {
    let original = read_original(vm, this, Args::none())?;
    let backtrace = vm.call(&original, sym::BACKTRACE, &[])?;
    let mut texts = Vec::new();
    if !backtrace.is_nil() {
        for line in vm.to_array(&backtrace)? {
            texts.push(vm.to_s_text(&line)?);
        }
    }
    // the message of a syntax error contains the line
    let message = vm.call(&original, sym::MESSAGE, &[])?;
    texts.push(vm.to_s_text(&message)?);
    let options = vm.ivar_get(this, Symbol::intern_static("@options"));
    let file = match &options {
        Some(Value::Hash(options)) => vm.hash_get_sym(options, Symbol::intern_static("filename")),
        _ => None,
    };
    let file = match file {
        Some(file) if file.truthy() => vm.to_s_text(&file)?,
        _ => NO_FILE.to_string(),
    };
    Ok(texts.iter().find_map(|text| {
        let rest = text.split_once(&file)?.1.strip_prefix(':')?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }))
}
fn line_number(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(line_of(vm, this)?.map_or(Value::Nil, Value::len))
}
fn location_text(vm: &mut Vm, this: &Value) -> Res<String> {
    Ok(format!("on line #{}", line_of(vm, this)?.map_or(String::new(), |line| line.to_string())))
}
fn source_location(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(location_text(vm, this)?))
}
/// The lines around the error, two before and two after, numbered.
fn listing_text(vm: &mut Vm, this: &Value) -> Res<String> {
    let template = vm.ivar_get(this, Symbol::intern_static("@template")).unwrap_or_default();
    let bytes = vm.to_s(&template)?.get(vm).bytes().to_vec();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let (first, count) = match line_of(vm, this)? {
        Some(line) => (line.saturating_sub(3), 5),
        None => (0, lines.len()),
    };
    let shown: Vec<String> = lines
        .iter()
        .enumerate()
        .skip(first)
        .take(count)
        .map(|(index, line)| format!("{:>3}: {line}", index + 1))
        .collect();
    Ok(shown.join("\n"))
}
fn source_listing(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(listing_text(vm, this)?))
}
fn error_to_s(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let message = error_message(vm, this, args)?;
    let (message, location, listing) = (vm.to_s_text(&message)?, location_text(vm, this)?, listing_text(vm, this)?);
    let original = read_original(vm, this, Args::none())?;
    let backtrace = vm.call(&original, sym::BACKTRACE, &[])?;
    let mut lines = Vec::new();
    if !backtrace.is_nil() {
        for line in vm.to_array(&backtrace)? {
            lines.push(vm.to_s_text(&line)?);
        }
    }
    Ok(Value::str(format!(
        "\n\n{} ({message}) {location}:\n\n{listing}\n\n  {}\n\n",
        vm.class_name_of(this),
        lines.join("\n  ")
    )))
}

static MODULE: &[MethodDef] = &[def("escape_xml", escape_xml, 1)];

fn escape_xml(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = vm.to_s(args.at(0))?.get(vm).bytes().to_vec();
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#039;"),
            other => out.push(other),
        }
    }
    Ok(utf8(out))
}

/// Registers `Chef::Mixin::Template` with the context and the error.
pub fn boot(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let mixin = vm.define_module(chef, "Mixin");
    let module = vm.define_module(mixin, "Template");
    vm.define_singleton_methods(module, MODULE);
    vm.libraries.insert(CONTEXT_FEATURE, Library::Native(load_context));
    let names = [Value::sym(CONTEXT_NAME), Value::str(CONTEXT_FEATURE)];
    vm.call_name(&Value::Class(module), "autoload", &names)?;
    let error = vm.define_class(module, "TemplateError", ClassId::RUNTIME_ERROR);
    vm.define_methods(error, ERROR);
    vm.const_set(error, Symbol::intern_static("MAX_MESSAGE_LENGTH"), Value::Int(MAX_MESSAGE_LENGTH));
    Ok(())
}
