//! Converts documents to Ruby values, by the tags and implicit types of psych 4.0.

use super::scalar::{self, Scalar, Timestamp};
use super::tree::{Document, Kind, Node};
use super::{constant, raise};
use rchef_ruby::{ClassId, Gc, RHash, RString, Res, Symbol, Value, Vm, sym};
use std::collections::HashMap;

/// What may be created from a document.
#[derive(Default)]
pub(crate) struct Options {
    /// Names of the permitted classes; None: all.
    pub classes: Option<Vec<String>>,
    /// Names of the permitted Symbols; empty: all, if Symbol is permitted.
    pub symbols: Vec<String>,
    pub aliases: bool,
    pub symbolize: bool,
    pub freeze: bool,
}

/// The value of a document.
pub(crate) fn load(vm: &mut Vm, document: &Document, options: &Options) -> Res {
    let psych = constant(vm, "Psych");
    let tags = vm.call_name(&psych, "load_tags", &[])?;
    let domains = vm.call_name(&psych, "domain_types", &[])?;
    let mut loader = Loader { document, options, anchors: HashMap::new(), psych, tags, domains };
    loader.node(vm, document.root)
}

struct Loader<'a> {
    document: &'a Document,
    options: &'a Options,
    anchors: HashMap<&'a str, Value>,
    psych: Value,
    tags: Value,
    domains: Value,
}

/// The rest of a tag after a prefix and an optional colon.
fn after<'t>(tag: &'t str, prefix: &str) -> Option<&'t str> {
    let rest = tag.strip_prefix(prefix)?;
    Some(rest.strip_prefix(':').unwrap_or(rest))
}
/// The rest of a tag after a prefix; None unless a colon or the end follows the prefix.
fn named<'t>(tag: &'t str, prefix: &str) -> Option<&'t str> {
    match tag.strip_prefix(prefix)? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}
fn non_empty(hash: &Value, vm: &Vm) -> bool {
    matches!(hash, Value::Hash(hash) if !hash.get(vm).is_empty())
}

impl<'a> Loader<'a> {
    fn at(&self, index: usize) -> &'a Node {
        &self.document.nodes[index]
    }
    fn node(&mut self, vm: &mut Vm, index: usize) -> Res {
        vm.check_stack()?;
        let node = self.at(index);
        let mut value = match &node.kind {
            Kind::Alias(name) => match self.anchors.get(name.as_str()) {
                Some(value) if self.options.aliases => value.clone(),
                _ => return Err(raise(vm, "Psych::BadAlias", &[Value::str(format!("Unknown alias: {name}"))])),
            },
            Kind::Scalar { text, quoted, .. } => {
                let value = self.scalar(vm, node, text, *quoted)?;
                self.register(node, &value);
                value
            }
            Kind::Sequence { items, .. } => self.sequence(vm, node, items)?,
            Kind::Mapping { items, .. } => self.mapping(vm, node, items)?,
        };
        if let Some(tag) = &node.tag
            && non_empty(&self.domains, vm)
        {
            value = vm.call_name(&self.psych, "__domain_type", &[Value::str(tag), value])?;
        }
        if self.options.freeze {
            vm.freeze(&value);
        }
        Ok(value)
    }
    fn register(&mut self, node: &'a Node, value: &Value) {
        if let Some(anchor) = &node.anchor {
            self.anchors.insert(anchor, value.clone());
        }
    }
    /// Raises DisallowedClass unless the class is permitted.
    fn permit(&self, vm: &mut Vm, name: &str) -> Res<()> {
        match &self.options.classes {
            Some(classes) if !classes.iter().any(|class| class == name) => {
                Err(raise(vm, "Psych::DisallowedClass", &[Value::str("load"), Value::str(name)]))
            }
            _ => Ok(()),
        }
    }
    /// The class with a name, loading its library if necessary; None for an empty name.
    fn class(&self, vm: &mut Vm, name: &str) -> Res<Option<Value>> {
        if name.is_empty() {
            return Ok(None);
        }
        self.permit(vm, name)?;
        vm.call_name(&self.psych, "__class", &[Value::str(name)]).map(Some)
    }
    fn class_or(&self, vm: &mut Vm, name: &str, default: &str) -> Res {
        let name = if name.is_empty() { default } else { name };
        Ok(self.class(vm, name)?.unwrap_or_default())
    }
    fn symbol(&self, vm: &mut Vm, name: &str) -> Res {
        if !self.options.symbols.is_empty() && !self.options.symbols.iter().any(|symbol| symbol == name) {
            return Err(raise(vm, "Psych::DisallowedClass", &[Value::str("load"), Value::str("Symbol")]));
        }
        self.permit(vm, "Symbol")?;
        Ok(Value::sym(name))
    }
    /// The class registered for a tag with `add_tag`.
    fn load_tag(&self, vm: &mut Vm, tag: &str) -> Res<Option<Value>> {
        let Value::Hash(tags) = &self.tags else { return Ok(None) };
        match vm.hash_get_str(tags, tag) {
            Some(name) => {
                let name = vm.to_s_text(&name)?;
                self.class(vm, &name)
            }
            None => Ok(None),
        }
    }
    /// Creates an object whose class may implement `init_with`.
    fn by_coder(&self, vm: &mut Vm, class: &Value, tag: &str, kind: &str, contents: Value) -> Res {
        vm.call_name(&self.psych, "__revive", &[class.clone(), Value::str(tag), Value::sym(kind), contents])
    }

    fn implicit(&self, vm: &mut Vm, text: &str) -> Res {
        Ok(match scalar::resolve(text) {
            Scalar::Null => Value::Nil,
            Scalar::Bool(value) => Value::bool(value),
            Scalar::Int(number) => Value::big(number),
            Scalar::Float(number) => Value::float(number),
            Scalar::Symbol(name) => return self.symbol(vm, &name),
            Scalar::Time(stamp) => {
                self.permit(vm, "Time")?;
                return self.time(vm, text, &stamp);
            }
            Scalar::Date(year, month, day) => {
                self.permit(vm, "Date")?;
                let parts = [Value::Int(year), Value::Int(month.into()), Value::Int(day.into()), Value::str(text)];
                return vm.call_name(&self.psych, "__date", &parts);
            }
            Scalar::Text => Value::str(text),
        })
    }
    fn time(&self, vm: &mut Vm, text: &str, stamp: &Timestamp) -> Res {
        let (year, month, day) = stamp.date;
        let (hour, minute, second) = stamp.time;
        let text_or_nil = |text: &Option<String>| text.as_ref().map_or(Value::Nil, Value::str);
        let parts = [
            Value::str(text),
            Value::Int(year),
            Value::Int(month.into()),
            Value::Int(day.into()),
            Value::Int(hour.into()),
            Value::Int(minute.into()),
            Value::Int(second.into()),
            text_or_nil(&stamp.fraction),
            text_or_nil(&stamp.zone),
        ];
        vm.call_name(&self.psych, "__time", &parts)
    }

    fn scalar(&mut self, vm: &mut Vm, node: &Node, text: &str, quoted: bool) -> Res {
        let Some(tag) = node.tag.as_deref() else {
            return if quoted { Ok(Value::str(text)) } else { self.implicit(vm, text) };
        };
        if let Some(class) = self.load_tag(vm, tag)? {
            return self.by_coder(vm, &class, tag, "scalar", Value::str(text));
        }
        if let Some(name) = named(tag, "!str").or_else(|| named(tag, "!ruby/string")) {
            return self.string(vm, name, Value::str(text));
        }
        match tag {
            "!binary" | "tag:yaml.org,2002:binary" => {
                Ok(Value::string(RString::binary(rchef_text::base64::decode(text.as_bytes()))))
            }
            "tag:yaml.org,2002:str" => Ok(Value::str(text)),
            "tag:yaml.org,2002:float" | "!float" => {
                let value = self.implicit(vm, text)?;
                let main = vm.main.clone();
                vm.call_name(&main, "Float", &[value])
            }
            "!ruby/encoding" => vm.call_name(&Value::Class(ClassId::ENCODING), "find", &[Value::str(text)]),
            "!ruby/class" | "!ruby/module" => Ok(self.class(vm, text)?.unwrap_or_default()),
            "!ruby/regexp" => {
                self.permit(vm, "Regexp")?;
                vm.call_name(&self.psych, "__regexp", &[Value::str(text)])
            }
            "!ruby/range" => self.range_text(vm, text),
            "!ruby/object:BigDecimal" | "!ruby/object:DateTime" | "!ruby/object:Complex" | "!ruby/object:Rational" => {
                self.permit(vm, &tag["!ruby/object:".len()..])?;
                let name = &tag["!ruby/object:".len()..];
                let stamp = match (name, scalar::resolve(text)) {
                    ("DateTime", Scalar::Time(stamp)) => self.time(vm, text, &stamp)?,
                    _ => Value::Nil,
                };
                vm.call_name(&self.psych, "__number", &[Value::str(name), Value::str(text), stamp])
            }
            _ if tag.starts_with("!ruby/sym") => self.symbol(vm, text),
            _ => self.implicit(vm, text),
        }
    }
    fn string(&self, vm: &mut Vm, class: &str, text: Value) -> Res {
        match self.class(vm, class)? {
            Some(class) => {
                let made = vm.call_name(&class, "allocate", &[])?;
                vm.call_name(&made, "replace", &[text])
            }
            None => Ok(text),
        }
    }
    fn range_text(&self, vm: &mut Vm, text: &str) -> Res {
        self.permit(vm, "Range")?;
        let Some(at) = text.find("..") else {
            return Err(vm.argument_error("bad value for range"));
        };
        let exclusive = text[at..].starts_with("...");
        let begin = self.implicit(vm, &text[..at])?;
        let end = self.implicit(vm, &text[at + 2 + usize::from(exclusive)..])?;
        vm.call(&Value::Class(ClassId::RANGE), sym::NEW, &[begin, end, Value::bool(exclusive)])
    }

    fn values(&mut self, vm: &mut Vm, items: &[usize]) -> Res<Vec<Value>> {
        items.iter().map(|item| self.node(vm, *item)).collect()
    }
    fn fill(&mut self, vm: &mut Vm, node: &'a Node, items: &[usize], list: Value) -> Res {
        self.register(node, &list);
        for item in items {
            let value = self.node(vm, *item)?;
            match &list {
                Value::Array(plain) if plain.class() == ClassId::ARRAY => plain.get_mut(vm).items.push(value),
                _ => {
                    vm.call_name(&list, "push", &[value])?;
                }
            }
        }
        Ok(list)
    }
    fn sequence(&mut self, vm: &mut Vm, node: &'a Node, items: &[usize]) -> Res {
        let tag = node.tag.as_deref().unwrap_or("");
        if !tag.is_empty()
            && let Some(class) = self.load_tag(vm, tag)?
        {
            let contents = Value::array(self.values(vm, items)?);
            return self.by_coder(vm, &class, tag, "seq", contents);
        }
        if matches!(tag, "!omap" | "tag:yaml.org,2002:omap") {
            let map = self.allocate(vm, node, "Psych::Omap")?;
            for item in items {
                if let Kind::Mapping { items, .. } = &self.at(*item).kind
                    && let (Some(key), Some(value)) = (items.first(), items.last())
                {
                    let key = self.node(vm, *key)?;
                    let value = self.node(vm, *value)?;
                    vm.call(&map, sym::ASET, &[key, value])?;
                }
            }
            return Ok(map);
        }
        let list = match tag.strip_prefix("!seq:").or_else(|| tag.strip_prefix("!ruby/array:")) {
            Some(name) => {
                let class = self.class_or(vm, name, "Array")?;
                vm.call_name(&class, "allocate", &[])?
            }
            None => Value::array(Vec::new()),
        };
        self.fill(vm, node, items, list)
    }
    /// A new object of a class that need not be permitted.
    fn allocate(&mut self, vm: &mut Vm, node: &'a Node, name: &str) -> Res {
        let class = vm.call_name(&self.psych, "__class", &[Value::str(name)])?;
        let made = vm.call(&class, sym::NEW, &[])?;
        self.register(node, &made);
        Ok(made)
    }

    fn mapping(&mut self, vm: &mut Vm, node: &'a Node, items: &'a [usize]) -> Res {
        let Some(tag) = node.tag.as_deref() else {
            let hash = Value::hash(RHash::default());
            self.register(node, &hash);
            return self.fill_hash(vm, hash, items, false);
        };
        if let Some(class) = self.load_tag(vm, tag)? {
            return self.revive(vm, node, class, items);
        }
        if let Some(name) = after(tag, "!ruby/struct") {
            return self.structure(vm, node, name, items);
        }
        if let Some(name) = after(tag, "!ruby/object") {
            return self.object(vm, node, name, items);
        }
        if let Some(name) = named(tag, "!str").or_else(|| named(tag, "!ruby/string")) {
            return self.tagged_string(vm, node, name, items);
        }
        if let Some(name) = tag.strip_prefix("!ruby/array:") {
            let class = self.class_or(vm, name, "Array")?;
            let list = vm.call_name(&class, "allocate", &[])?;
            self.register(node, &list);
            let members = Value::array(self.values(vm, items)?);
            return vm.call_name(&self.psych, "__array", &[list, members]);
        }
        if let Some(name) = after(tag, "!ruby/exception") {
            let members = Value::array(self.values(vm, items)?);
            let class = self.class_or(vm, name, "Exception")?;
            return vm.call_name(&self.psych, "__exception", &[class, Value::str(tag), members]);
        }
        if let Some(name) = after(tag, "!ruby/hash-with-ivars") {
            return self.hash_with_ivars(vm, node, name, items);
        }
        if let Some(name) = tag.strip_prefix("!map:").or_else(|| tag.strip_prefix("!ruby/hash:")) {
            let class = self.class_or(vm, name, "Hash")?;
            let hash = vm.call_name(&class, "allocate", &[])?;
            self.register(node, &hash);
            return self.fill_hash(vm, hash, items, false);
        }
        match tag {
            "!ruby/range" => {
                self.permit(vm, "Range")?;
                let members = Value::array(self.values(vm, items)?);
                let range = vm.call_name(&self.psych, "__range", &[members])?;
                self.register(node, &range);
                Ok(range)
            }
            "!set" | "tag:yaml.org,2002:set" | "!omap" | "tag:yaml.org,2002:omap" => {
                let name = if tag.ends_with("set") { "Psych::Set" } else { "Psych::Omap" };
                self.permit(vm, name)?;
                let made = self.allocate(vm, node, name)?;
                for pair in items.chunks(2) {
                    let pair = self.values(vm, pair)?;
                    vm.call(&made, sym::ASET, &pair)?;
                }
                Ok(made)
            }
            _ if tag.starts_with("!ruby/marshalable:") => {
                let class = self.class_or(vm, &tag["!ruby/marshalable:".len()..], "Object")?;
                let members = Value::array(self.values(vm, items)?);
                vm.call_name(&self.psych, "__marshalable", &[class, Value::str(tag), members])
            }
            _ => {
                let hash = Value::hash(RHash::default());
                self.register(node, &hash);
                self.fill_hash(vm, hash, items, false)
            }
        }
    }

    /// Adds pairs to a Hash; the key `<<` merges. `tagged`: the keys belong to an object and are not symbolized.
    fn fill_hash(&mut self, vm: &mut Vm, hash: Value, items: &[usize], tagged: bool) -> Res {
        for pair in items.chunks(2) {
            let [key_at, value_at] = pair else { continue };
            let key = self.node(vm, *key_at)?;
            let value = self.node(vm, *value_at)?;
            let key_node = self.at(*key_at);
            let merging = matches!(&key, Value::Str(text) if text.get(vm).bytes() == b"<<")
                && key_node.tag.as_deref() != Some("tag:yaml.org,2002:str");
            if merging && self.merge(vm, &hash, *value_at, &value)? {
                continue;
            }
            let key = match &key {
                Value::Str(text) if !tagged && !merging && self.options.symbolize => {
                    Value::sym(&text.get(vm).to_text())
                }
                _ => key,
            };
            self.store(vm, &hash, key, value)?;
        }
        Ok(hash)
    }
    fn store(&self, vm: &mut Vm, hash: &Value, key: Value, value: Value) -> Res<()> {
        match hash {
            Value::Hash(plain) if plain.class() == ClassId::HASH => vm.hash_set(plain, key, value),
            _ => vm.call(hash, sym::ASET, &[key, value]).map(|_| ()),
        }
    }
    /// Merges the value of `<<`; false if it is not a mapping or a list of mappings.
    fn merge(&self, vm: &mut Vm, hash: &Value, at: usize, value: &Value) -> Res<bool> {
        let sources: Vec<Value> = match (&self.at(at).kind, value) {
            (Kind::Alias(_) | Kind::Mapping { .. }, Value::Hash(_)) => vec![value.clone()],
            (Kind::Sequence { .. }, Value::Array(list)) => {
                let list = list.get(vm).items.clone();
                if !list.iter().all(|item| matches!(item, Value::Hash(_))) {
                    return Ok(false);
                }
                list.into_iter().rev().collect()
            }
            _ => return Ok(false),
        };
        for source in sources {
            vm.call_name(hash, "merge!", &[source])?;
        }
        Ok(true)
    }

    fn revive(&mut self, vm: &mut Vm, node: &'a Node, class: Value, items: &[usize]) -> Res {
        let made = vm.call_name(&class, "allocate", &[])?;
        self.register(node, &made);
        let members = self.fill_hash(vm, Value::hash(RHash::default()), items, true)?;
        self.init_with(vm, node, made, members)
    }
    /// Passes a Hash of members to `init_with`, or sets instance variables.
    fn init_with(&self, vm: &mut Vm, node: &Node, made: Value, members: Value) -> Res {
        let tag = node.tag.as_ref().map_or(Value::Nil, Value::str);
        vm.call_name(&self.psych, "__init_with", &[made, members, tag])
    }
    fn structure(&mut self, vm: &mut Vm, node: &'a Node, name: &str, items: &[usize]) -> Res {
        match self.class(vm, name)? {
            Some(class) => {
                let made = vm.call_name(&class, "allocate", &[])?;
                self.register(node, &made);
                self.permit_members(vm, &class)?;
                let members = Value::array(self.values(vm, items)?);
                let tag = node.tag.as_ref().map_or(Value::Nil, Value::str);
                vm.call_name(&self.psych, "__struct", &[made, members, tag])
            }
            None => {
                self.permit(vm, "Struct")?;
                let members = self.values(vm, items)?;
                for name in members.iter().step_by(2) {
                    let name = vm.to_s_text(name)?;
                    self.symbol(vm, &name)?;
                }
                let members = Value::array(members);
                let made = vm.call_name(&self.psych, "__anonymous_struct", &[members])?;
                self.register(node, &made);
                Ok(made)
            }
        }
    }
    /// Members of a Struct are Symbols, which must be permitted as others.
    fn permit_members(&self, vm: &mut Vm, class: &Value) -> Res<()> {
        let members = vm.call_name(class, "members", &[])?;
        let members = vm.to_ary(&members)?.get(vm).items.clone();
        for member in &members {
            let name = vm.to_s_text(member)?;
            self.symbol(vm, &name)?;
        }
        Ok(())
    }
    fn object(&mut self, vm: &mut Vm, node: &'a Node, name: &str, items: &'a [usize]) -> Res {
        match name {
            "Complex" | "Rational" => {
                self.permit(vm, name)?;
                let members = Value::array(self.values(vm, items)?);
                let made = vm.call_name(&self.psych, "__number", &[Value::str(name), members, Value::Nil])?;
                self.register(node, &made);
                Ok(made)
            }
            "Hash" => {
                let hash = Value::hash(RHash::default());
                self.register(node, &hash);
                self.fill_hash(vm, hash, items, false)
            }
            _ => {
                let class = self.class_or(vm, name, "Object")?;
                self.revive(vm, node, class, items)
            }
        }
    }
    fn tagged_string(&mut self, vm: &mut Vm, node: &'a Node, name: &str, items: &[usize]) -> Res {
        let mut made = Value::str("");
        let members = Gc::new(ClassId::HASH, RHash::default());
        for pair in items.chunks(2) {
            let [key, value] = pair else { continue };
            let key = self.node(vm, *key)?;
            let value = self.node(vm, *value)?;
            if matches!(&key, Value::Str(text) if text.get(vm).bytes() == b"str") {
                made = self.string(vm, name, value)?;
                self.register(node, &made);
            } else {
                let name = vm.to_s_text(&key)?;
                vm.hash_set(&members, Value::str(name.strip_prefix('@').unwrap_or(&name)), value)?;
            }
        }
        self.init_with(vm, node, made, Value::Hash(members))
    }
    fn hash_with_ivars(&mut self, vm: &mut Vm, node: &'a Node, name: &str, items: &[usize]) -> Res {
        let hash = match self.class(vm, name)? {
            Some(class) => vm.call_name(&class, "allocate", &[])?,
            None => Value::hash(RHash::default()),
        };
        self.register(node, &hash);
        for pair in items.chunks(2) {
            let [key, value] = pair else { continue };
            let (Kind::Scalar { text, .. }, Kind::Mapping { items, .. }) = (&self.at(*key).kind, &self.at(*value).kind)
            else {
                continue;
            };
            match text.as_str() {
                "elements" => {
                    self.fill_hash(vm, hash.clone(), items, false)?;
                }
                "ivars" => {
                    for pair in items.chunks(2) {
                        let pair = self.values(vm, pair)?;
                        if let [name, value] = &pair[..] {
                            let name = vm.to_s_text(name)?;
                            vm.ivar_set(&hash, Symbol::intern(&name), value.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(hash)
    }
}
