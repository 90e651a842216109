//! Binds arguments to parameters, by the rules of methods and lambdas or those of blocks.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::{Block, Cx};
use crate::hash::RHash;
use crate::heap::{self, Gc};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::tree::{Code, KwRest, Params};
use smallvec::SmallVec;

/// The arity of a parameter list, by the rule of methods and lambdas, or of procs (which do not count optional parameters).
pub fn arity(params: &Params, lambda: bool) -> i64 {
    let required_keyword = params.keywords.iter().any(|keyword| keyword.default.is_none());
    let optional_keyword = !required_keyword && params.takes_keywords();
    let count = i64::from(params.required) + i64::from(params.post) + i64::from(required_keyword);
    let open = params.rest.is_some() || (lambda && (!params.optional.is_empty() || optional_keyword));
    if open { -count - 1 } else { count }
}

impl Vm {
    /// Binds by the rules of methods and lambdas, which check the number of arguments.
    pub(crate) fn bind_params(&mut self, cx: &Cx<'_>, code: &Code, args: Args<'_>, strict: bool) -> Res<()> {
        let params = &code.params;
        let takes_keywords = params.takes_keywords();
        if !args.keywords && !takes_keywords && params.post == 0 {
            let required = usize::from(params.required);
            let most = if params.rest.is_some() { usize::MAX } else { required + params.optional.len() };
            if (required..=most).contains(&args.len()) {
                self.bind_positional(cx, params, args.pos)?;
                return self.bind_rest(cx, params, args.block);
            }
        }
        let (mut pos, keywords) = args.split();
        let holder: SmallVec<[Value; 8]>;
        let mut given_keywords = None;
        if let Some(hash) = keywords {
            if takes_keywords {
                given_keywords = Some(hash.clone());
            } else if hash.get(self).is_empty() {
                // `**{}` passes no keywords
            } else if params.kwrest == KwRest::Nil {
                return Err(self.argument_error("no keywords accepted"));
            } else {
                let copy = Gc::new(ClassId::HASH, hash.get(self).clone());
                let flagged = params.ruby2_keywords() || (params.rest.is_some() && hash.flag(heap::FROM_SPLAT));
                copy.set_flag(heap::KEYWORDS, flagged);
                holder = pos.iter().cloned().chain([Value::Hash(copy)]).collect();
                pos = &holder;
            }
        }
        let required = usize::from(params.required) + usize::from(params.post);
        let most = if params.rest.is_some() { usize::MAX } else { required + params.optional.len() };
        if strict && (pos.len() < required || pos.len() > most) {
            return Err(self.params_arity_error(params, pos.len(), required, most));
        }
        self.bind_positional(cx, params, pos)?;
        self.bind_keywords(cx, params, given_keywords)?;
        self.bind_rest(cx, params, args.block)
    }

    #[cold]
    fn params_arity_error(
        &mut self,
        params: &Params,
        given: usize,
        required: usize,
        most: usize,
    ) -> crate::error::Error {
        let mut expected = if most == usize::MAX {
            format!("{required}+")
        } else if most == required {
            required.to_string()
        } else {
            format!("{required}..{most}")
        };
        let missing: Vec<&str> = params
            .keywords
            .iter()
            .filter(|keyword| keyword.default.is_none())
            .map(|keyword| keyword.name.as_str())
            .collect();
        if !missing.is_empty() {
            expected.push_str(&format!(
                "; required keyword{}: {}",
                if missing.len() == 1 { "" } else { "s" },
                missing.join(", ")
            ));
        }
        self.arity_error(given, expected)
    }

    /// Binds by the rules of blocks: missing arguments are nil, excess ones are dropped, a single Array is destructured.
    pub(crate) fn bind_block_params(&mut self, cx: &Cx<'_>, code: &Code, args: Args<'_>) -> Res<()> {
        let params = &code.params;
        let takes_keywords = params.takes_keywords();
        let (mut pos, keywords) = args.split();
        let mut given_keywords = None;
        let holder: SmallVec<[Value; 8]>;
        if let Some(hash) = keywords {
            if takes_keywords {
                given_keywords = Some(hash.clone());
            } else if params.kwrest == KwRest::Nil && !hash.get(self).is_empty() {
                return Err(self.argument_error("no keywords accepted"));
            } else if !hash.get(self).is_empty() {
                let copy = Gc::new(ClassId::HASH, hash.get(self).clone());
                copy.set_flag(heap::KEYWORDS, params.rest.is_some() && hash.flag(heap::FROM_SPLAT));
                holder = pos.iter().cloned().chain([Value::Hash(copy)]).collect();
                pos = &holder;
            }
        }
        let apart = pos.len() == 1 && given_keywords.is_none() && params.takes_apart();
        let items;
        if apart && let Some(array) = self.check_ary(&pos[0])? {
            items = array.get(self).items.clone();
            pos = &items;
        }
        self.bind_positional(cx, params, pos)?;
        self.bind_keywords(cx, params, given_keywords)?;
        self.bind_rest(cx, params, args.block)
    }

    fn bind_positional(&mut self, cx: &Cx<'_>, params: &Params, pos: &[Value]) -> Res<()> {
        let (required, post) = (usize::from(params.required), usize::from(params.post));
        let at = |index: usize| pos.get(index).cloned().unwrap_or_default();
        for index in 0..required {
            self.set_local(cx, index as u16, at(index));
        }
        let free = pos.len().saturating_sub(required + post);
        let filled = free.min(params.optional.len());
        for (index, (slot, _)) in params.optional.iter().take(filled).enumerate() {
            self.set_local(cx, *slot, at(required + index));
        }
        let rest_from = required + filled;
        let rest_count = free - filled;
        if let Some(slot) = params.rest {
            let items = pos.get(rest_from..rest_from + rest_count).unwrap_or(&[]).to_vec();
            self.set_local(cx, slot, Value::array(items));
        }
        let post_from = if params.rest.is_some() { rest_from + rest_count } else { rest_from };
        for index in 0..post {
            self.set_local(cx, params.post_start + index as u16, at(post_from + index));
        }
        for (slot, default) in params.optional.iter().skip(filled) {
            let value = self.operand(default, cx)?;
            self.set_local(cx, *slot, value);
        }
        Ok(())
    }

    /// Evaluates the default values of parameters without an argument, when all arguments are in their slots: `given` positional ones, and the
    /// keywords whose bit is set.
    pub(crate) fn bind_defaults(&mut self, cx: &Cx<'_>, given: usize, keywords: u64) -> Res<()> {
        let params = &cx.code.params;
        for (slot, default) in params.optional.iter().skip(given.saturating_sub(usize::from(params.required))) {
            let value = self.operand(default, cx)?;
            self.set_local(cx, *slot, value);
        }
        for (index, keyword) in params.keywords.iter().enumerate() {
            if keywords >> index & 1 == 0
                && let Some(default) = &keyword.default
            {
                let value = self.eval(default, cx)?;
                self.set_local(cx, keyword.slot, value);
            }
        }
        Ok(())
    }

    fn bind_keywords(&mut self, cx: &Cx<'_>, params: &Params, given: Option<Gc<RHash>>) -> Res<()> {
        if !params.takes_keywords() {
            return Ok(());
        }
        let mut missing: Vec<Symbol> = Vec::new();
        let mut found = 0;
        let mut defaults = Vec::new();
        for keyword in &params.keywords {
            match given.as_ref().and_then(|hash| self.hash_get_sym(hash, keyword.name)) {
                Some(value) => {
                    found += 1;
                    self.set_local(cx, keyword.slot, value);
                }
                None => match &keyword.default {
                    Some(default) => defaults.push((keyword.slot, default)),
                    None => missing.push(keyword.name),
                },
            }
        }
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(|name| format!(":{name}")).collect();
            return Err(self.argument_error(format!(
                "missing keyword{}: {}",
                if names.len() == 1 { "" } else { "s" },
                names.join(", ")
            )));
        }
        match params.kwrest {
            KwRest::Slot(slot) => {
                let mut rest = RHash::default();
                if let Some(hash) = &given {
                    for entry in hash.get(self).entries() {
                        let taken = matches!(&entry.key, Value::Sym(name) if params.keywords.iter().any(|keyword| keyword.name == *name));
                        if !taken {
                            rest.push(entry.hash, entry.key.clone(), entry.value.clone());
                        }
                    }
                }
                self.set_local(cx, slot, Value::hash(rest));
            }
            _ => {
                if let Some(hash) = &given
                    && hash.get(self).len() > found
                {
                    let unknown: Vec<Value> = (hash.get(self).iter())
                        .filter(|(key, _)| !matches!(key, Value::Sym(name) if params.keywords.iter().any(|keyword| keyword.name == *name)))
                        .map(|(key, _)| key.clone())
                        .collect();
                    return Err(self.unknown_keywords(&unknown));
                }
            }
        }
        for (slot, default) in defaults {
            let value = self.eval(default, cx)?;
            self.set_local(cx, slot, value);
        }
        Ok(())
    }

    fn bind_rest(&mut self, cx: &Cx<'_>, params: &Params, block: Option<Block<'_>>) -> Res<()> {
        if let Some(slot) = params.block {
            match block {
                Some(Block::Proc(proc)) => self.set_local(cx, slot, Value::Proc(proc.clone())),
                Some(block) if !params.block_passed => {
                    let proc = self.block_to_proc(block);
                    self.set_local(cx, slot, Value::Proc(proc));
                }
                // `Vm::passed_on` finds the block; a default value may have captured the activation, which sets the slot
                _ => {}
            }
        }
        for (slot, target) in &params.destructure {
            let value = self.local(cx, *slot);
            self.destructure(target, &value, cx)?;
        }
        Ok(())
    }
}
