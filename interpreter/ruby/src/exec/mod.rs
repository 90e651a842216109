//! The executor: evaluates the resolved tree, one function per construct.
//!
//! - `walk`: dispatch for frequent nodes: variables, operators, branches, loops; `outcome`: results in registers;
//! - `locals`: local variables; `enter`: plain calls and blocks, whose arguments are evaluated to the callee's locals;
//! - `keywords`: the same for calls with literal keywords;
//! - here: dispatch for all other nodes, literals, operators on core types;
//! - `calls`: call sites, yield, operator assignment to calls; `super_call`: super; `refined`: calls of refinements' methods;
//! - `control`: case, begin/rescue/ensure, jumps;
//! - `pattern`: pattern matching;
//! - `assign`: multiple assignment and targets;
//! - `define`: class, module, def, alias, undef, constants; `class_variables`;
//! - `defined`: `defined?`.

mod assign;
mod assign_call;
mod calls;
mod class_variables;
mod control;
mod define;
mod defined;
mod enter;
mod keywords;
mod locals;
mod operators;
mod outcome;
mod pattern;
mod refined;
mod super_call;
mod walk;

pub(crate) use outcome::Outcome;

use crate::Vm;
use crate::class::ClassId;
use crate::error::{Res, Unwind};
use crate::frame::Cx;
use crate::hash::RHash;
use crate::heap::{self, Gc};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{HashElem, Hint, LitEncoding, Node, StrLit};
use rchef_text::encoding::Encoding;

impl Vm {
    /// Nodes that allocate or jump, for which the cost of a second dispatch does not matter.
    #[inline(always)]
    fn eval_other(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::Str(literal) => Ok(self.string_literal(literal)),
            Node::Array(items) => self.eval_array(&items.0, items.1, cx),
            Node::Hash(elements) => self.eval_hash(elements, cx).map(Value::Hash),
            Node::DStr(parts) => self.eval_dstr(parts, cx),
            Node::Return(value) => self.eval_return(value.as_deref(), cx),
            Node::Next(value) => {
                let value = self.eval_opt(value.as_deref(), cx)?;
                Err(Unwind::Next(value).into())
            }
            Node::ObjectClass => Ok(Value::Class(ClassId::OBJECT)),
            _ => self.eval_rare(node, cx),
        }
    }

    #[inline(never)]
    fn eval_rare(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::Begin(begin) => self.eval_begin(begin, cx),
            Node::Branch(branch) => self.eval_branch(branch, cx),
            Node::CaseIn(case) => self.eval_case_in(case, cx),
            Node::MatchRequired(parts) => self.eval_match_required(&parts.0, &parts.1, parts.2, cx),
            Node::MatchPredicate(parts) => {
                let value = self.eval(&parts.0, cx)?;
                Ok(Value::bool(self.match_pattern(&parts.1, &value, cx)?))
            }
            Node::For(node) => self.eval_for(node, cx),
            Node::Break(value) => {
                let value = self.eval_opt(value.as_deref(), cx)?;
                self.eval_break(value, cx)
            }
            Node::Redo => Err(Unwind::Redo.into()),
            Node::Retry => Err(Unwind::Retry.into()),
            Node::Super(call) => self.eval_super(call, cx),
            Node::OpAssignVar(assign) => self.eval_op_assign_var(assign, cx),
            Node::MultiAsgn(assign) => self.eval_multi_assign(&assign.0, &assign.1, cx),
            Node::ConstPath(path) => self.eval_const_path(path, cx),
            Node::ConstAsgn(assign) => self.eval_const_assign(assign.0.as_ref(), assign.1, &assign.2, cx),
            Node::GVar(name) => self.global_read(*name),
            Node::GAsgn(name, value) => {
                let value = self.eval(value, cx)?;
                self.global_set(*name, value.clone())?;
                Ok(value)
            }
            Node::CVar(name, line) => {
                cx.line.set(*line);
                self.eval_cvar(*name, cx)
            }
            Node::CVarAsgn(name, value) => {
                let value = self.eval(value, cx)?;
                self.assign_cvar(*name, value.clone(), cx)?;
                Ok(value)
            }
            Node::BigInt(number) => Ok(Value::big((**number).clone())),
            Node::Rational(parts) => {
                let (numerator, denominator) = (Value::big(parts.0.clone()), Value::big(parts.1.clone()));
                self.call_name(&Value::Class(ClassId::KERNEL), "Rational", &[numerator, denominator])
            }
            Node::Imaginary(part) => {
                let part = self.eval(part, cx)?;
                self.call_name(&Value::Class(ClassId::KERNEL), "Complex", &[Value::Int(0), part])
            }
            Node::DSym(parts) => {
                let text = self.interpolate(parts, cx)?;
                Ok(Value::Sym(rchef_syntax::Symbol::intern_bytes(text.bytes())))
            }
            Node::XStr(command) => {
                cx.line.set(command.1);
                let text = self.interpolate(&command.0, cx)?;
                let command_text = Value::string(text);
                command_text.set_flag(heap::FROZEN, command.0.iter().all(|part| matches!(part, Node::Str(_))));
                self.call(cx.slf, sym::BACKTICK, &[command_text])
            }
            Node::Regex(literal) => {
                if let Some(found) = self.literals.get(&literal.literal_id) {
                    return Ok(found.clone());
                }
                cx.line.set(literal.line);
                let encoding = encoding_of(literal.encoding);
                let made = crate::core::regexp::literal(self, &literal.source, encoding, literal.options)
                    .map_err(|error| crate::core::regexp::invalid_literal(self, error))?;
                self.remember_regexp(literal.literal_id, made.clone());
                Ok(made)
            }
            Node::DRegex(parts) => self.eval_dregex(parts, cx),
            Node::LiteralRange(range) => self.literal_range(range, cx),
            Node::Splat(node) => {
                let value = self.eval(node, cx)?;
                Ok(Value::array(self.splat(&value)?))
            }
            Node::KeywordItem(elements) => Ok(Value::Hash(self.eval_hash(elements, cx)?)),
            Node::NthRef(number) => {
                let last = self.specials_of(cx).borrow().last_match.clone();
                Ok(crate::core::regexp::nth_match(self, &last, *number as i64))
            }
            Node::BackRef(kind) => {
                let last = self.specials_of(cx).borrow().last_match.clone();
                Ok(crate::core::regexp::back_reference(self, &last, *kind))
            }
            Node::Defined(question) => self.eval_defined(question, cx),
            Node::Def(code) => self.eval_def(code, cx),
            Node::DefSingleton(parts) => self.eval_def_singleton(&parts.0, &parts.1, cx),
            Node::Class(def) => self.eval_class(def, cx),
            Node::SClass(parts) => self.eval_sclass(&parts.0, &parts.1, parts.2, cx),
            Node::Lambda(code) => Ok(self.eval_lambda(code, cx)),
            Node::Alias(parts) => self.eval_alias(&parts.0, &parts.1, parts.2, cx),
            Node::AliasGlobal(new, old) => {
                self.global_alias(*new, *old);
                Ok(Value::Nil)
            }
            Node::Undef(parts) => self.eval_undef(&parts.0, parts.1, cx),
            Node::PostExe(code, id) => self.eval_post_exe(code, *id, cx),
            Node::FlipFlop(parts) => self.eval_flip_flop(&parts.0, &parts.1, parts.2, parts.3, cx),
            Node::MatchWrite(parts) => self.eval_match_write(&parts.0, &parts.1, cx),
            Node::MatchLastLine(regexp) => {
                let regexp = self.eval(regexp, cx)?;
                let line = self.specials_of(cx).borrow().last_line.clone();
                self.call(&regexp, sym::MATCH, &[line])
            }
            Node::SourceEncoding(encoding) => Ok(crate::core::encoding::object(self, encoding_of(*encoding))),
            // all other nodes are handled by `walk` and `eval_other`
            other => self.eval(other, cx),
        }
    }

    #[inline]
    pub(crate) fn eval_opt(&mut self, node: Option<&Node>, cx: &Cx<'_>) -> Res {
        match node {
            Some(node) => self.eval(node, cx),
            None => Ok(Value::Nil),
        }
    }

    #[inline(never)]
    fn string_literal(&mut self, literal: &StrLit) -> Value {
        let encoding = encoding_of(literal.encoding);
        if literal.frozen {
            return self.frozen_literal(literal, encoding);
        }
        Value::string(RString::new(&literal.bytes[..], encoding))
    }

    /// A literal under `frozen_string_literal: true`: looked up by its bytes when it is first evaluated.
    fn frozen_literal(&mut self, literal: &StrLit, encoding: Encoding) -> Value {
        if let Some(found) = self.known_literal(&literal.id) {
            return found;
        }
        let made = self.interned_string(&literal.bytes, encoding);
        self.remember_literal(&literal.id, made)
    }
    /// A Range of literals; Strings in it are frozen, as in MRI.
    fn literal_range(&mut self, (begin, end, exclusive, id): &(Node, Node, bool, Hint), cx: &Cx<'_>) -> Res {
        if let Some(found) = self.known_literal(id) {
            return Ok(found);
        }
        let mut fixed = |node: &Node| match node {
            Node::Str(literal) => Ok(self.interned_string(&literal.bytes, encoding_of(literal.encoding))),
            node => self.eval(node, cx),
        };
        let (first, last) = (fixed(begin)?, fixed(end)?);
        let made = crate::core::range::new_range(self, first, last, *exclusive)?;
        Ok(self.remember_literal(id, made))
    }
    /// The value that was remembered for a literal.
    fn known_literal(&self, id: &Hint) -> Option<Value> {
        let number = id.get();
        let (known, found) = self.string_literals.get(number as usize % MOST_LITERALS)?;
        (*known == number).then(|| found.clone())
    }
    fn remember_literal(&mut self, id: &Hint, made: Value) -> Value {
        let number = id.get();
        let number = if number == 0 { rchef_syntax::tree::literal_number() } else { number };
        id.set(number);
        let at = number as usize % MOST_LITERALS;
        if self.string_literals.len() <= at {
            self.string_literals.resize(at + 1, (u32::MAX, Value::Undef));
        }
        self.string_literals[at] = (number, made.clone());
        made
    }

    #[inline(never)]
    fn eval_array(&mut self, nodes: &[Node], has_splat: bool, cx: &Cx<'_>) -> Res {
        let mut items = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::Splat(inner) if has_splat => {
                    let value = self.eval(inner, cx)?;
                    items.extend(self.splat(&value)?);
                }
                Node::KeywordItem(elements) => {
                    let hash = self.eval_hash(elements, cx)?;
                    if !hash.get(self).is_empty() {
                        items.push(Value::Hash(hash));
                    }
                }
                _ => items.push(self.operand(node, cx)?),
            }
        }
        Ok(Value::array(items))
    }

    #[inline(never)]
    pub(crate) fn eval_hash(&mut self, elements: &[HashElem], cx: &Cx<'_>) -> Res<Gc<RHash>> {
        let hash = Gc::new(ClassId::HASH, RHash::with_capacity(elements.len()));
        for element in elements {
            match element {
                HashElem::Pair(Node::Sym(name), value) => {
                    let value = self.eval(value, cx)?;
                    self.hash_set_symbol(&hash, *name, value);
                }
                HashElem::Pair(node, value) => {
                    let key = self.eval(node, cx)?;
                    // a String that only the Hash has needs no copy
                    if let (Node::Str(_), Value::Str(text)) = (node, &key) {
                        text.set_flag(heap::FROZEN, true);
                    }
                    let value = self.eval(value, cx)?;
                    self.hash_set(&hash, key, value)?;
                }
                HashElem::DoubleSplat(node) => {
                    let value = self.eval(node, cx)?;
                    if value.is_nil() {
                        return Err(self.type_error_of(&value, "no implicit conversion of nil into Hash"));
                    }
                    let other = self.to_hash(&value)?;
                    let pairs: Vec<_> =
                        other.get(self).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                    for (key, value) in pairs {
                        self.hash_set(&hash, key, value)?;
                    }
                }
            }
        }
        Ok(hash)
    }

    #[inline(never)]
    fn eval_dstr(&mut self, parts: &[Node], cx: &Cx<'_>) -> Res {
        Ok(Value::string(self.interpolate(parts, cx)?))
    }

    /// Joins the parts of an interpolated literal.
    pub(crate) fn interpolate(&mut self, parts: &[Node], cx: &Cx<'_>) -> Res<RString> {
        let mut out = RString::default();
        // The first part determines the encoding. If all parts are computed, an empty literal precedes them.
        let computed_first = matches!(parts.first(), Some(first) if !matches!(first, Node::Str(_)))
            && parts.iter().any(|part| matches!(part, Node::Str(_)));
        for (at, part) in parts.iter().enumerate() {
            let encoding = match part {
                Node::Str(literal) if literal.encoding == LitEncoding::Utf8 && out.encoding() == Encoding::Utf8 => {
                    out.push_bytes(&literal.bytes, None);
                    continue;
                }
                Node::Str(literal) => {
                    let encoding = encoding_of(literal.encoding);
                    if at == 0 {
                        out.set_encoding(encoding);
                    }
                    if encoding == out.encoding() || literal.bytes.is_ascii() {
                        out.push_bytes(&literal.bytes, None);
                    } else if let Value::Str(other) = &self.string_literal(literal) {
                        self.append(&mut out, other)?;
                    }
                    encoding
                }
                _ => match self.eval(part, cx)? {
                    Value::Int(number) if cx.cref.refinements.borrow().is_empty() => {
                        if at == 0 && computed_first {
                            out.set_encoding(Encoding::UsAscii);
                        }
                        let mut digits = [0u8; 20];
                        out.push_bytes(crate::string::decimal(number, &mut digits), None);
                        Encoding::UsAscii
                    }
                    value => {
                        let text = self.interpolated(&value, cx)?;
                        let encoding = text.get(self).encoding();
                        if at == 0 && computed_first {
                            out.set_encoding(encoding);
                        }
                        self.append(&mut out, &text)?;
                        encoding
                    }
                },
            };
            // US-ASCII gives way to the encoding of a later part.
            if out.encoding() == Encoding::UsAscii {
                out.set_encoding(encoding);
            }
        }
        Ok(out)
    }

    /// Appends a String to contents being built, by Ruby's rules of encoding compatibility.
    pub(crate) fn append(&mut self, out: &mut RString, text: &Gc<RString>) -> Res<()> {
        let added = text.get(self).bytesize();
        self.check_growth(out.bytesize(), added)?;
        let other = text.get(self);
        if out.encoding() != other.encoding() && !other.is_ascii() {
            if out.is_ascii() && (out.bytes().is_empty() || other.encoding().is_ascii_compatible()) {
                out.set_encoding(other.encoding());
            } else {
                let (a, b) = (out.encoding().name(), other.encoding().name());
                return Err(
                    self.error(ClassId::COMPATIBILITY_ERROR, format!("incompatible character encodings: {a} and {b}"))
                );
            }
        }
        out.push_bytes(text.get(self).bytes(), None);
        Ok(())
    }

    #[inline(never)]
    fn eval_dregex(&mut self, parts: &(Vec<Node>, u8, u32, u32), cx: &Cx<'_>) -> Res {
        if parts.2 != 0
            && let Some(found) = self.literals.get(&parts.2)
        {
            return Ok(found.clone());
        }
        cx.line.set(parts.3);
        let mut source = RString::default();
        let mut bytes = false;
        for part in &parts.0 {
            let value = self.eval(part, cx)?;
            let text = match &value {
                Value::Str(text) => text.clone(),
                _ => self.interpolated(&value, cx)?,
            };
            bytes |= crate::core::regexp::is_of_bytes(text.get(self));
            self.append(&mut source, &text)?;
        }
        if bytes && source.is_ascii() {
            source.set_encoding(Encoding::Binary);
        }
        let made = crate::core::regexp::dynamic(self, source, parts.1)?;
        if parts.2 != 0 {
            self.literals.insert(parts.2, made.clone());
        }
        Ok(made)
    }

    /// A frozen String, always the same object for the same bytes and encoding.
    pub fn interned_string(&mut self, bytes: &[u8], encoding: Encoding) -> Value {
        self.interned(bytes, encoding, |bytes, encoding| Value::string(RString::new(bytes, encoding)))
    }
    /// The same; `make` creates the String if there is none yet. Unused ones are removed when their number has doubled.
    pub(crate) fn interned(
        &mut self,
        bytes: &[u8],
        encoding: Encoding,
        make: impl FnOnce(&[u8], Encoding) -> Value,
    ) -> Value {
        let table = self.extension::<InternedStrings>();
        let key = (bytes.to_vec(), encoding as u8);
        if let Some(found) = table.strings.get(&key) {
            return found.clone();
        }
        if table.strings.len() >= table.sweep_at.max(FIRST_SWEEP) {
            table.strings.retain(|_, value| heap::holders(value).is_none_or(|count| count > 1));
            table.sweep_at = table.strings.len() * 2;
        }
        let made = make(bytes, encoding);
        made.set_flag(heap::FROZEN | heap::INTERNED, true);
        table.strings.insert(key, made.clone());
        made
    }
}

/// Whether a String is equal to that of a literal, as for [`Vm::str_eq`].
fn is_literal(text: &RString, literal: &StrLit) -> bool {
    text.bytes() == &*literal.bytes
        && (text.encoding() == encoding_of(literal.encoding)
            || literal.bytes.is_empty()
            || (text.is_ascii() && literal.bytes.is_ascii()))
}

/// The encoding of a literal or source. Unknown names are treated as binary.
pub(crate) fn encoding_of(encoding: LitEncoding) -> Encoding {
    match encoding {
        LitEncoding::Utf8 => Encoding::Utf8,
        LitEncoding::UsAscii => Encoding::UsAscii,
        LitEncoding::Binary => Encoding::Binary,
        LitEncoding::Named(name) => Encoding::find(name.as_str()).unwrap_or(Encoding::Binary),
    }
}

/// The number of literals that are remembered, the latest ones: code that is evaluated again and again has new ones each time.
const MOST_LITERALS: usize = 1 << 15;
/// The same for Regexps, which take more memory.
const MOST_REGEXPS: usize = 1 << 13;

impl Vm {
    /// Remembers the Regexp of a literal.
    pub(crate) fn remember_regexp(&mut self, literal: u32, made: Value) {
        if self.literals.len() >= MOST_REGEXPS {
            self.literals.clear();
        }
        self.literals.insert(literal, made);
    }
}

/// Minimum number of interned Strings before unused ones are removed.
const FIRST_SWEEP: usize = 1024;

/// Frozen Strings by contents and encoding: literals, and results of `-string`.
#[derive(Default)]
struct InternedStrings {
    strings: std::collections::HashMap<(Vec<u8>, u8), Value, rchef_syntax::keyed::Keyed>,
    sweep_at: usize,
}
