//! Converts Ruby values to documents, like psych 4.0.

use super::scalar::{self, Scalar};
use super::tree::{Document, Kind, Style};
use super::{constant, raise};
use rchef_ruby::text::encoding::{Encoding, Options as Transcoding, transcode};
use rchef_ruby::{ClassId, Gc, RHash, RString, Res, Symbol, Value, Vm, sym};
use std::collections::HashMap;

/// Options of a dump.
#[derive(Default)]
pub(crate) struct Options {
    /// `safe_dump`: the classes and Symbols that may be dumped.
    pub restricted: Option<Restriction>,
    /// Longer Strings are folded.
    pub line_width: Option<i64>,
}
/// What `safe_dump` permits.
pub(crate) struct Restriction {
    pub classes: Vec<Value>,
    pub symbols: Vec<Value>,
    pub aliases: bool,
}

/// Builds documents; repeated objects become aliases, also across documents.
pub(crate) struct Dumper<'a> {
    options: &'a Options,
    document: Document,
    /// The nodes of objects dumped so far, by address: the object (to keep it alive), the number of the document, and the node.
    seen: HashMap<usize, (Value, usize, usize)>,
    names: HashMap<usize, String>,
    finished: Vec<Document>,
    psych: Value,
}

/// The tag of an object; the class is omitted if empty.
fn tagged(prefix: &str, class: &str) -> String {
    if class.is_empty() { prefix.to_string() } else { format!("{prefix}:{class}") }
}
/// A number that identifies an object; 0 for values that never become aliases.
fn identity(value: &Value) -> usize {
    match value {
        Value::Class(id) => usize::MAX - id.0 as usize,
        Value::Big(_) => 0,
        other => other.address(),
    }
}

impl<'a> Dumper<'a> {
    pub fn new(vm: &mut Vm, options: &'a Options) -> Dumper<'a> {
        Dumper {
            options,
            document: Document::default(),
            seen: HashMap::new(),
            names: HashMap::new(),
            finished: Vec::new(),
            psych: constant(vm, "Psych"),
        }
    }
    pub fn document(&mut self, vm: &mut Vm, value: &Value, version: Option<(i64, i64)>) -> Res<()> {
        self.document = Document { version, implicit_end: true, ..Document::default() };
        let root = self.node(vm, value)?;
        self.document.root = root;
        self.finished.push(std::mem::take(&mut self.document));
        Ok(())
    }
    pub fn finish(self) -> Vec<Document> {
        self.finished
    }

    fn register(&mut self, value: &Value, node: usize) {
        let identity = identity(value);
        if identity != 0 {
            self.seen.insert(identity, (value.clone(), self.finished.len(), node));
        }
    }
    /// An alias, if the object was dumped before.
    fn alias(&mut self, value: &Value) -> Option<usize> {
        let identity = identity(value);
        let (_, number, node) = self.seen.get(&identity)?;
        let next = self.names.len() + 1;
        let name = self.names.entry(identity).or_insert_with(|| next.to_string()).clone();
        let document = self.finished.get_mut(*number).unwrap_or(&mut self.document);
        if let Some(node) = document.nodes.get_mut(*node) {
            node.anchor = Some(name.clone());
        }
        Some(self.document.add(Kind::Alias(name), None, None))
    }
    fn disallowed(&self, vm: &mut Vm, what: String) -> rchef_ruby::Error {
        raise(vm, "Psych::DisallowedClass", &[Value::str("dump"), Value::str(what)])
    }
    fn permit(&self, vm: &mut Vm, value: &Value) -> Res<()> {
        let Some(restricted) = &self.options.restricted else { return Ok(()) };
        if !restricted.aliases && self.seen.contains_key(&identity(value)) {
            return Err(raise(vm, "Psych::BadAlias", &[Value::str("Tried to dump an aliased object")]));
        }
        let class = vm.real_class_of(value);
        let plain = matches!(
            class,
            ClassId::TRUE
                | ClassId::FALSE
                | ClassId::NIL
                | ClassId::INTEGER
                | ClassId::FLOAT
                | ClassId::STRING
                | ClassId::ARRAY
                | ClassId::HASH
        );
        let class = Value::Class(class);
        if !plain && !restricted.classes.iter().any(|permitted| permitted.same(&class)) {
            let shown = vm.call_name(&class, "name", &[])?;
            let shown = if shown.is_nil() { vm.inspect(&class)? } else { vm.to_s_text(&shown)? };
            return Err(self.disallowed(vm, shown));
        }
        if matches!(value, Value::Sym(_)) && !restricted.symbols.iter().any(|permitted| permitted.same(value)) {
            let shown = vm.inspect(value)?;
            return Err(self.disallowed(vm, format!("Symbol({shown})")));
        }
        Ok(())
    }

    fn node(&mut self, vm: &mut Vm, value: &Value) -> Res<usize> {
        vm.check_stack()?;
        self.permit(vm, value)?;
        if let Some(alias) = self.alias(value) {
            return Ok(alias);
        }
        let class = vm.class_of(value);
        if vm.find_method(class, Symbol::intern_static("encode_with")).is_some() {
            return self.coder(vm, value);
        }
        let plain = |text: String, document: &mut Document| document.scalar(text, None, true, false, Style::Any);
        Ok(match value {
            Value::Nil | Value::Undef => {
                self.document.scalar("", Some("tag:yaml.org,2002:null"), true, false, Style::Any)
            }
            Value::True => plain("true".into(), &mut self.document),
            Value::False => plain("false".into(), &mut self.document),
            Value::Int(_) | Value::Big(_) => plain(vm.to_s_text(value)?, &mut self.document),
            Value::Float(number) => {
                let text = if number.get().is_nan() {
                    ".nan".into()
                } else if number.get().is_infinite() {
                    if number.get() > 0.0 { ".inf".into() } else { "-.inf".into() }
                } else {
                    rchef_text::number::float_to_s(number.get())
                };
                plain(text, &mut self.document)
            }
            Value::Sym(symbol) => match symbol.as_str() {
                "" => self.document.scalar("", Some("!ruby/symbol"), false, false, Style::Any),
                name => plain(format!(":{name}"), &mut self.document),
            },
            Value::Str(text) => return self.string(vm, value, text),
            Value::Array(_) => return self.array(vm, value),
            Value::Hash(_) => return self.hash(vm, value),
            Value::Class(id) => {
                let kind = if vm.class(*id).is_module() { "module" } else { "class" };
                if vm.class(*id).name.is_none() {
                    let shown = vm.inspect(value)?;
                    return Err(vm.type_error(format!("can't dump anonymous {kind}: {shown}")));
                }
                let (name, tag) = (vm.class_name(*id), format!("!ruby/{kind}"));
                let node = self.document.scalar(name, Some(&tag), false, false, Style::Single);
                self.register(value, node);
                node
            }
            Value::Range(range) => {
                let (begin, end, exclusive) = {
                    let range = range.get(vm);
                    (range.begin.clone(), range.end.clone(), Value::bool(range.exclusive))
                };
                let node = self.mapping(value, Some("!ruby/range"));
                for (name, item) in [("begin", begin), ("end", end), ("excl", exclusive)] {
                    let name = self.document.scalar(name, None, true, true, Style::Plain);
                    self.document.push(node, name);
                    self.push(vm, node, &item)?;
                }
                node
            }
            Value::Proc(_) | Value::Object(_) => return self.object(vm, value),
        })
    }
    fn mapping(&mut self, value: &Value, tag: Option<&str>) -> usize {
        let kind = Kind::Mapping { items: Vec::new(), implicit: tag.is_none(), flow: false };
        let node = self.document.add(kind, tag.map(str::to_string), None);
        self.register(value, node);
        node
    }
    fn sequence(&mut self, value: &Value, tag: Option<&str>) -> usize {
        let kind = Kind::Sequence { items: Vec::new(), implicit: tag.is_none(), flow: false };
        let node = self.document.add(kind, tag.map(str::to_string), None);
        self.register(value, node);
        node
    }
    fn push(&mut self, vm: &mut Vm, parent: usize, value: &Value) -> Res<()> {
        let child = self.node(vm, value)?;
        self.document.push(parent, child);
        Ok(())
    }
    fn name(&mut self, parent: usize, name: &str) {
        let key = self.document.scalar(name, None, true, false, Style::Any);
        self.document.push(parent, key);
    }
    fn pair_named(&mut self, vm: &mut Vm, parent: usize, name: &str, value: &Value) -> Res<()> {
        self.name(parent, name);
        self.push(vm, parent, value)
    }
    fn ivars(&mut self, vm: &mut Vm, parent: usize, value: &Value) -> Res<()> {
        for name in visible_ivars(vm, value)? {
            let held = vm.call_name(value, "instance_variable_get", &[Value::Sym(name)])?;
            let name = name.as_str();
            self.pair_named(vm, parent, name.strip_prefix('@').unwrap_or(name), &held)?;
        }
        Ok(())
    }

    fn string(&mut self, vm: &mut Vm, value: &Value, text: &Gc<RString>) -> Res<usize> {
        let class = vm.real_class_of(value);
        let (text, tag, plain, quoted, style) = self.string_form(vm, text)?;
        let ivars = if class == ClassId::STRING { Vec::new() } else { visible_ivars(vm, value)? };
        let own = if class == ClassId::STRING { String::new() } else { vm.class_name(class) };
        if ivars.is_empty() {
            if class == ClassId::STRING {
                return Ok(self.document.scalar(text, tag, plain, quoted, style));
            }
            let tag = tagged("!ruby/string", &own);
            return Ok(self.document.scalar(text, Some(&tag), false, false, style));
        }
        let node = self.mapping(value, Some(&tagged("!ruby/string", &own)));
        self.name(node, "str");
        let content = self.document.scalar(text, tag, plain, quoted, style);
        self.document.push(node, content);
        self.ivars(vm, node, value)?;
        Ok(node)
    }
    /// For a String: text, tag, whether the tag may be omitted if the scalar is plain or if it is quoted, and style.
    fn string_form(&self, vm: &mut Vm, text: &Gc<RString>) -> Res<(String, Option<&'static str>, bool, bool, Style)> {
        let data = text.get(vm);
        if data.encoding() == Encoding::Binary && !data.is_ascii() {
            let encoded = rchef_text::base64::strict_encode(data.bytes());
            let encoded = String::from_utf8_lossy(&encoded).into_owned();
            return Ok((encoded, Some("!binary"), false, false, Style::Literal));
        }
        let bytes = match data.encoding() {
            Encoding::Utf8 | Encoding::UsAscii | Encoding::Binary => data.bytes().to_vec(),
            other => transcode(data.bytes(), other, Encoding::Utf8, &mut Transcoding::default())
                .unwrap_or_else(|_| data.to_text().into_owned().into_bytes()),
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(vm.argument_error("invalid byte sequence in UTF-8"));
        };
        let inner_break = text.match_indices('\n').any(|(at, _)| !matches!(&text[at + 1..], "" | "\n"));
        let wide = self.options.line_width.is_some_and(|width| text.chars().count() as i64 > width);
        let digits = text.trim_start_matches(|c| matches!(c, '0'..='7'));
        let nearly_octal = text.starts_with('0') && digits.starts_with(['8', '9']);
        let style = if inner_break {
            Style::Literal
        } else if text == "<<" {
            return Ok((text, Some("tag:yaml.org,2002:str"), false, false, Style::Single));
        } else if text == "y" || text == "n" {
            Style::Double
        } else if wide {
            Style::Folded
        } else if starts_with_sign(&text) {
            Style::Double
        } else if nearly_octal || !matches!(read_as(&text), Scalar::Text) {
            Style::Single
        } else {
            Style::Plain
        };
        Ok((text, None, true, true, style))
    }
    fn array(&mut self, vm: &mut Vm, value: &Value) -> Res<usize> {
        let class = vm.real_class_of(value);
        if class == ClassId::ARRAY {
            let node = self.sequence(value, None);
            self.items(vm, node, value)?;
            return Ok(node);
        }
        let tag = tagged("!ruby/array", &vm.class_name(class));
        let ivars = visible_ivars(vm, value)?;
        if ivars.is_empty() {
            let node = self.sequence(value, Some(&tag));
            self.items(vm, node, value)?;
            return Ok(node);
        }
        let node = self.mapping(value, Some(&tag));
        self.name(node, "internal");
        let list = self.sequence(&Value::Nil, None);
        self.document.push(node, list);
        self.items(vm, list, value)?;
        self.name(node, "ivars");
        self.ivar_mapping(vm, node, value, &ivars)?;
        Ok(node)
    }
    fn ivar_mapping(&mut self, vm: &mut Vm, parent: usize, value: &Value, names: &[Symbol]) -> Res<()> {
        let map = self.mapping(&Value::Nil, None);
        self.document.push(parent, map);
        for name in names {
            self.push(vm, map, &Value::Sym(*name))?;
            let held = vm.ivar_get(value, *name).unwrap_or_default();
            self.push(vm, map, &held)?;
        }
        Ok(())
    }
    fn items(&mut self, vm: &mut Vm, node: usize, value: &Value) -> Res<()> {
        let items = match value {
            Value::Array(list) if list.class() == ClassId::ARRAY => list.get(vm).items.clone(),
            _ => {
                let items = vm.call_name(&self.psych, "__items", std::slice::from_ref(value))?;
                let items = vm.to_ary(&items)?;
                items.get(vm).items.clone()
            }
        };
        for item in items {
            self.push(vm, node, &item)?;
        }
        Ok(())
    }
    /// The pairs of a Hash, in the order of `each`.
    fn pairs(&mut self, vm: &mut Vm, node: usize, value: &Value) -> Res<()> {
        let pairs: Vec<(Value, Value)> = match value {
            Value::Hash(hash) if hash.class() == ClassId::HASH => own_pairs(vm, hash),
            _ => {
                let flat = vm.call_name(&self.psych, "__pairs", std::slice::from_ref(value))?;
                let flat = vm.to_ary(&flat)?;
                flat.get(vm).items.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
            }
        };
        for (key, value) in pairs {
            self.push(vm, node, &key)?;
            self.push(vm, node, &value)?;
        }
        Ok(())
    }
    fn hash(&mut self, vm: &mut Vm, value: &Value) -> Res<usize> {
        let class = vm.real_class_of(value);
        if class == ClassId::HASH {
            let node = self.mapping(value, None);
            self.pairs(vm, node, value)?;
            return Ok(node);
        }
        let name = vm.class_name(class);
        let ancestors = self.ancestors(vm, class);
        if ancestors.iter().any(|name| name == "Psych::Set") {
            let node = self.mapping(value, Some("!set"));
            self.pairs(vm, node, value)?;
            return Ok(node);
        }
        if ancestors.iter().any(|name| name == "Psych::Omap") {
            let node = self.sequence(value, Some("tag:yaml.org,2002:omap"));
            let Value::Hash(hash) = value else { return Ok(node) };
            for pair in own_pairs(vm, hash) {
                let single = vm.new_hash(vec![pair])?;
                self.push(vm, node, &single)?;
            }
            return Ok(node);
        }
        let ivars = visible_ivars(vm, value)?;
        if ivars.is_empty() {
            let node = self.mapping(value, Some(&tagged("!ruby/hash", &name)));
            self.pairs(vm, node, value)?;
            return Ok(node);
        }
        let node = self.mapping(value, Some(&tagged("!ruby/hash-with-ivars", &name)));
        self.name(node, "ivars");
        self.ivar_mapping(vm, node, value, &ivars)?;
        self.name(node, "elements");
        let elements = self.mapping(&Value::Nil, None);
        self.document.push(node, elements);
        self.pairs(vm, elements, value)?;
        Ok(node)
    }
    /// The names of a class and its superclasses, nearest first.
    fn ancestors(&self, vm: &Vm, class: ClassId) -> Vec<String> {
        let mut names = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            if !vm.class(class).is_singleton() {
                names.push(vm.class_name(class));
            }
            next = vm.class(class).superclass;
        }
        names
    }

    fn object(&mut self, vm: &mut Vm, value: &Value) -> Res<usize> {
        let class = vm.real_class_of(value);
        let named = vm.class(class).name.is_some();
        let name = if named { vm.class_name(class) } else { String::new() };
        let tagged_scalar = |text: String, tag: &str, document: &mut Document| {
            document.scalar(text, Some(tag), false, false, Style::Any)
        };
        for ancestor in self.ancestors(vm, class) {
            let node = match ancestor.as_str() {
                "Struct" => return self.structure(vm, value, &name),
                "Exception" => return self.exception(vm, value, &name),
                "Regexp" => tagged_scalar(vm.inspect(value)?, "!ruby/regexp", &mut self.document),
                "Encoding" => {
                    let name = vm.call_name(value, "name", &[])?;
                    let name = vm.to_s_text(&name)?;
                    return Ok(tagged_scalar(name, "!ruby/encoding", &mut self.document));
                }
                "DateTime" => {
                    let text = self.ask(vm, "__date_time_text", value)?;
                    tagged_scalar(text, "!ruby/object:DateTime", &mut self.document)
                }
                "Date" => {
                    let text = vm.to_s_text(value)?;
                    return Ok(self.document.scalar(text, None, true, false, Style::Any));
                }
                "Time" => {
                    let text = self.ask(vm, "__time_text", value)?;
                    self.document.scalar(text, None, true, false, Style::Any)
                }
                "BigDecimal" => {
                    let text = vm.call_name(value, "_dump", &[])?;
                    let text = vm.to_s_text(&text)?;
                    return Ok(tagged_scalar(text, "!ruby/object:BigDecimal", &mut self.document));
                }
                "Rational" => return self.parts(vm, value, "Rational", &["denominator", "numerator"]),
                "Complex" => return self.parts(vm, value, "Complex", &["real", "imag"]),
                "Enumerator" => {
                    let list = vm.call(value, sym::TO_A, &[])?;
                    let node = self.sequence(value, None);
                    self.items(vm, node, &list)?;
                    return Ok(node);
                }
                _ => continue,
            };
            self.register(value, node);
            return Ok(node);
        }
        let tag = match self.dump_tag(vm, class)? {
            Some(tag) => tag,
            None if class == ClassId::OBJECT => "!ruby/object".to_string(),
            None => tagged("!ruby/object", &name),
        };
        let node = self.mapping(value, Some(&tag));
        self.ivars(vm, node, value)?;
        Ok(node)
    }
    fn ask(&self, vm: &mut Vm, method: &str, value: &Value) -> Res<String> {
        let text = vm.call_name(&self.psych, method, std::slice::from_ref(value))?;
        vm.to_s_text(&text)
    }
    fn dump_tag(&self, vm: &mut Vm, class: ClassId) -> Res<Option<String>> {
        let tags = vm.call_name(&self.psych, "dump_tags", &[])?;
        let Value::Hash(tags) = &tags else { return Ok(None) };
        match vm.hash_get(tags, &Value::Class(class))? {
            Some(tag) => vm.to_s_text(&tag).map(Some),
            None => Ok(None),
        }
    }
    /// The parts of a Rational or Complex, as text; the imaginary part is called `image`.
    fn parts(&mut self, vm: &mut Vm, value: &Value, class: &str, names: &[&str]) -> Res<usize> {
        let node = self.mapping(value, Some(&format!("!ruby/object:{class}")));
        for name in names {
            let part = vm.call_name(value, name, &[])?;
            let text = vm.to_s_text(&part)?;
            self.name(node, if *name == "imag" { "image" } else { name });
            self.name(node, &text);
        }
        Ok(node)
    }
    fn structure(&mut self, vm: &mut Vm, value: &Value, name: &str) -> Res<usize> {
        let node = self.mapping(value, Some(&tagged("!ruby/struct", name)));
        let pairs = vm.call_name(value, "to_h", &[])?;
        if let Value::Hash(pairs) = &pairs {
            for (member, held) in own_pairs(vm, pairs) {
                let member = vm.to_s_text(&member)?;
                self.pair_named(vm, node, &member, &held)?;
            }
        }
        self.ivars(vm, node, value)?;
        Ok(node)
    }
    fn exception(&mut self, vm: &mut Vm, value: &Value, name: &str) -> Res<usize> {
        let message = vm.call_name(value, "message", &[])?;
        let message = Value::str(vm.to_s_text(&message)?);
        let backtrace = vm.call_name(value, "backtrace", &[])?;
        let node = self.mapping(&Value::Nil, Some(&tagged("!ruby/exception", name)));
        self.pair_named(vm, node, "message", &message)?;
        self.pair_named(vm, node, "backtrace", &backtrace)?;
        self.ivars(vm, node, value)?;
        Ok(node)
    }

    /// Dumps an object through its `encode_with`.
    fn coder(&mut self, vm: &mut Vm, value: &Value) -> Res<usize> {
        let coder = vm.call_name(&self.psych, "__encode", std::slice::from_ref(value))?;
        let kind = vm.call_name(&coder, "type", &[])?;
        let kind = vm.to_s_text(&kind)?;
        let tag = vm.call_name(&coder, "tag", &[])?;
        let tag = if tag.is_nil() { None } else { Some(vm.to_s_text(&tag)?) };
        let contents = vm.call_name(&coder, &kind, &[])?;
        match kind.as_str() {
            "scalar" => {
                let Value::Str(_) = &contents else {
                    let class = vm.real_class_of(&contents);
                    let class = vm.class_name(class);
                    return Err(vm.type_error(format!("wrong argument type {class} (expected String)")));
                };
                let text = vm.to_s_text(&contents)?;
                let style = super::nodes::style_of(coder_style(vm, &coder)?);
                Ok(self.document.scalar(text, tag.as_deref(), tag.is_none(), false, style))
            }
            "seq" => {
                let node = self.sequence(&Value::Nil, tag.as_deref());
                let in_flow = coder_style(vm, &coder)? == IN_FLOW;
                if let Some(Kind::Sequence { flow, .. }) = self.document.nodes.get_mut(node).map(|node| &mut node.kind)
                {
                    *flow = in_flow;
                }
                self.items(vm, node, &contents)?;
                Ok(node)
            }
            "map" => {
                let node = self.mapping(value, tag.as_deref());
                let implicit = vm.call_name(&coder, "implicit", &[])?.truthy();
                let in_flow = coder_style(vm, &coder)? == IN_FLOW;
                if let Some(Kind::Mapping { implicit: slot, flow, .. }) =
                    self.document.nodes.get_mut(node).map(|node| &mut node.kind)
                {
                    (*slot, *flow) = (implicit || tag.is_none(), in_flow);
                }
                self.pairs(vm, node, &contents)?;
                Ok(node)
            }
            _ => self.node(vm, &contents),
        }
    }
}

/// The number of the flow style of sequences and mappings (`Psych::Nodes::Mapping::FLOW`).
const IN_FLOW: i64 = 2;

/// The style that `encode_with` has asked for.
fn coder_style(vm: &mut Vm, coder: &Value) -> Res<i64> {
    let style = vm.call_name(coder, "style", &[])?;
    vm.to_int(&style)
}

/// The result of `instance_variables`.
fn visible_ivars(vm: &mut Vm, value: &Value) -> Res<Vec<Symbol>> {
    let names = vm.call_name(value, "instance_variables", &[])?;
    let Value::Array(names) = &names else { return Ok(Vec::new()) };
    Ok(names
        .get(vm)
        .items
        .iter()
        .filter_map(|name| match name {
            Value::Sym(name) => Some(*name),
            _ => None,
        })
        .collect())
}
fn own_pairs(vm: &Vm, hash: &Gc<RHash>) -> Vec<(Value, Value)> {
    hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}
/// Whether a line starts with a non-word character and has no double quote after it.
fn starts_with_sign(text: &str) -> bool {
    let mut start = 0;
    loop {
        if let Some(first) = text[start..].chars().next()
            && !in_word(first)
        {
            let rest = &text[start + first.len_utf8()..];
            let line = rest.split('\n').next().unwrap_or("");
            if !line.contains('"') {
                return true;
            }
        }
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return false,
        }
    }
}
/// Whether Ruby's `[[:word:]]` matches: it excludes fractions, superscript and circled digits.
fn in_word(c: char) -> bool {
    let odd_number = matches!(c, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}' | '\u{2070}'..='\u{2189}' | '\u{2460}'..='\u{24b5}' | '\u{24ea}'..='\u{24ff}' | '\u{2776}'..='\u{2793}' | '\u{3192}'..='\u{3195}' | '\u{3220}'..='\u{3289}' | '\u{32b1}'..='\u{32bf}');
    c.is_alphabetic() || c == '_' || (c.is_numeric() && !odd_number)
}
/// How a plain scalar would be read: invalid dates and times are text.
fn read_as(text: &str) -> Scalar {
    let found = scalar::resolve(text);
    let real = match &found {
        Scalar::Date(year, month, day) => exists(*year, *month, *day),
        Scalar::Time(stamp) => {
            let ((_, month, day), (hour, minute, second)) = (stamp.date, stamp.time);
            (1..=12).contains(&month) && (1..=31).contains(&day) && hour <= 24 && minute <= 59 && second <= 60
        }
        _ => true,
    };
    if real { found } else { Scalar::Text }
}
fn exists(year: i64, month: u32, day: u32) -> bool {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0 || year < 1582);
    let last = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    // the days skipped by the Gregorian calendar reform
    (1..=last).contains(&day) && !(year == 1582 && month == 10 && (5..=14).contains(&day))
}
