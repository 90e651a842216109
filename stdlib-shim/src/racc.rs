//! `racc/cparse`: the automaton of parsers that Racc generated, over the tables of their class. Errors are recovered from as in Racc's runtime in C.

use rchef_ruby::{Args, ClassId, Gc, MethodDef, RHash, Res, Symbol, Value, Vm, def};
use std::ops::ControlFlow;

static METHODS: &[MethodDef] =
    &[def("_racc_do_parse_c", do_parse, 2).private(), def("_racc_yyparse_c", parse_yielded, 4).private()];

/// Numbers of the tokens that every grammar has.
const LAST: i64 = 0;
const ERROR: i64 = 1;

/// Names that a parse asks for at each step.
struct Names {
    next_token: Symbol,
    jump: Value,
    on_error: Symbol,
    status: Symbol,
    no_action: Symbol,
}

/// Entries of `Racc_arg`: those that are Arrays are asked in place, for they are far larger than most texts.
struct Tables {
    all: Value,
    tokens: Gc<RHash>,
    base: i64,
    shifts: i64,
    reduces: i64,
    passes_result: bool,
}

/// Places of the tables in `Racc_arg`.
#[derive(Clone, Copy)]
enum Table {
    Action = 0,
    ActionCheck = 1,
    ActionDefault = 2,
    ActionPointer = 3,
    Goto = 4,
    GotoCheck = 5,
    GotoDefault = 6,
    GotoPointer = 7,
    Reduce = 9,
}

struct Parse<'a> {
    parser: &'a Value,
    tables: Tables,
    names: Names,
    /// The values of what has been read, which actions and `on_error` see.
    values: Value,
    states: Vec<i64>,
    token: Option<i64>,
    value: Value,
    read_next: bool,
}

/// What an action leads to.
enum Then {
    Goes,
    /// `yyerror` was called.
    Fails,
    Ends(Value),
}

pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let racc = vm.define_module(ClassId::OBJECT, "Racc");
    let parser = vm.define_class(racc, "Parser", ClassId::OBJECT);
    vm.define_methods(parser, METHODS);
    let version = Value::str("1.6.0");
    vm.freeze(&version);
    vm.const_set(parser, Symbol::intern_static("Racc_Runtime_Core_Version_C"), version);
    Ok(())
}

/// The parse of tokens that a method yields: few parsers have it, so the library's Ruby code is good enough.
fn parse_yielded(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.call_name(this, "_racc_yyparse_rb", args.pos)
}

fn entry(vm: &Vm, all: &Value, at: usize) -> Value {
    let Value::Array(all) = all else { return Value::Nil };
    all.get(vm).items.as_slice().get(at).cloned().unwrap_or_default()
}

fn do_parse(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let all = args.at(0).clone();
    let Value::Hash(tokens) = entry(vm, &all, 10) else {
        return Err(vm.type_error("wrong argument type (expected Racc_arg)"));
    };
    let [base, shifts, reduces] = [8, 11, 12].map(|at| entry(vm, &all, at));
    let tables = Tables {
        tokens,
        base: vm.to_int(&base)?,
        shifts: vm.to_int(&shifts)?,
        reduces: vm.to_int(&reduces)?,
        passes_result: entry(vm, &all, 13).truthy(),
        all,
    };
    let names = Names {
        next_token: Symbol::intern_static("next_token"),
        jump: Value::Sym(Symbol::intern_static("racc_jump")),
        on_error: Symbol::intern_static("on_error"),
        status: Symbol::intern_static("@racc_error_status"),
        no_action: Symbol::intern_static("_reduce_none"),
    };
    vm.ivar_set(this, names.status, Value::Int(0));
    let values = Value::array(Vec::new());
    let mut parse =
        Parse { parser: this, tables, names, values, states: vec![0], token: None, value: Value::Nil, read_next: true };
    loop {
        vm.tick_by(1)?;
        let action = parse.next_action(vm)?;
        if let Some(result) = parse.act(vm, action)? {
            return Ok(result);
        }
    }
}

impl Parse<'_> {
    /// The number at a place of a table; None where there is none.
    fn at(&self, vm: &Vm, table: Table, at: i64) -> Option<i64> {
        let Value::Array(all) = &self.tables.all else { return None };
        let Some(Value::Array(found)) = all.get(vm).items.as_slice().get(table as usize) else { return None };
        match found.get(vm).items.as_slice().get(usize::try_from(at).ok()?) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        }
    }

    fn state(&self) -> i64 {
        self.states.last().copied().unwrap_or(0)
    }

    /// How often a token must still be shifted until an error is told of again.
    fn status(&self, vm: &Vm) -> i64 {
        match vm.ivar_get(self.parser, self.names.status) {
            Some(Value::Int(number)) => number,
            _ => 0,
        }
    }

    fn push(&mut self, vm: &mut Vm, state: i64, value: Value) {
        if let Value::Array(values) = &self.values {
            values.get_mut(vm).items.push(value);
        }
        self.states.push(state);
    }

    /// The action of the tables for the state and the next token, which is read if it matters.
    fn next_action(&mut self, vm: &mut Vm) -> Res<i64> {
        let state = self.state();
        if let Some(at) = self.at(vm, Table::ActionPointer, state) {
            if self.read_next && self.token != Some(LAST) {
                self.read(vm)?;
            }
            let at = at + self.token.unwrap_or(LAST);
            if let Some(action) = self.at(vm, Table::Action, at)
                && self.at(vm, Table::ActionCheck, at) == Some(state)
            {
                return Ok(action);
            }
        }
        Ok(self.at(vm, Table::ActionDefault, state).unwrap_or(-self.tables.reduces))
    }

    fn read(&mut self, vm: &mut Vm) -> Res<()> {
        let read = vm.call(self.parser, self.names.next_token, &[])?;
        let (token, value) = match &read {
            Value::Nil => (Value::False, Value::str("$")),
            Value::Array(pair) => match pair.get(vm).items.as_slice() {
                [token, value] => (token.clone(), value.clone()),
                others => {
                    let count = others.len();
                    return Err(vm.argument_error(format!("next_token() returned wrong size of array ({count} for 2)")));
                }
            },
            other => {
                let class = vm.class_name_of(other);
                return Err(vm.type_error(format!("next_token() returned {class} (must be Array[2])")));
            }
        };
        self.token = match vm.hash_get(&self.tables.tokens, &token)? {
            Some(Value::Int(number)) => Some(number),
            _ => Some(ERROR),
        };
        (self.value, self.read_next) = (value, false);
        Ok(())
    }

    /// Does what an action says, and what follows from an error; the result, if that ends the parse.
    fn act(&mut self, vm: &mut Vm, action: i64) -> Res<Option<Value>> {
        let mut then = match self.take(vm, action, false)? {
            Some(then) => then,
            None => {
                self.tell_error(vm)?;
                Then::Fails
            }
        };
        loop {
            vm.tick_by(1)?;
            then = match then {
                Then::Goes => return Ok(None),
                Then::Ends(result) => return Ok(Some(result)),
                Then::Fails => match self.recover(vm) {
                    ControlFlow::Break(result) => return Ok(Some(result)),
                    ControlFlow::Continue(action) => match self.take(vm, action, true)? {
                        Some(then) => then,
                        None => return Err(vm.runtime_error(format!("[Racc Bug] unexpected act value {action}"))),
                    },
                },
            };
        }
    }

    /// Shifts, reduces or accepts; None if the action is none of these. `error`: the token shifted is `error`, with the value of the one that was not
    /// expected, which is looked at again.
    fn take(&mut self, vm: &mut Vm, action: i64, error: bool) -> Res<Option<Then>> {
        if action > 0 && action < self.tables.shifts {
            if !error {
                let status = self.status(vm);
                if status > 0 {
                    vm.ivar_set(self.parser, self.names.status, Value::Int(status - 1));
                }
                self.read_next = true;
            }
            let value = self.value.clone();
            self.push(vm, action, value);
            return Ok(Some(Then::Goes));
        }
        if action < 0 && action > -self.tables.reduces {
            return self.reduce(vm, action).map(Some);
        }
        Ok((action == self.tables.shifts).then(|| Then::Ends(entry(vm, &self.values, 0))))
    }

    fn reduce(&mut self, vm: &mut Vm, action: i64) -> Res<Then> {
        let at = action * -3;
        let length = self.at(vm, Table::Reduce, at).and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        let target = self.at(vm, Table::Reduce, at + 1).unwrap_or(0);
        let method = match entry(vm, &self.tables.all, Table::Reduce as usize) {
            Value::Array(rules) => {
                usize::try_from(at + 2).ok().and_then(|at| rules.get(vm).items.as_slice().get(at).cloned())
            }
            _ => None,
        };
        let Some(Value::Sym(method)) = method else { return Err(vm.type_error("reduce table has no method")) };
        let Value::Array(values) = self.values.clone() else { return Ok(Then::Goes) };
        let own = {
            let items = &mut values.get_mut(vm).items;
            let from = items.as_slice().len().saturating_sub(length);
            items.split_off(from)
        };
        self.states.truncate(self.states.len().saturating_sub(length).max(1));
        let first = own.first().cloned().unwrap_or_default();
        let result = if method == self.names.no_action {
            first
        } else {
            let (parser, stack) = (self.parser, self.values.clone());
            let passed = [Value::array(own), stack, first];
            let count = if self.tables.passes_result { 3 } else { 2 };
            let mut result = None;
            let thrown = vm.catch(&self.names.jump, |vm| {
                result = Some(vm.call(parser, method, &passed[..count])?);
                Ok(Value::Nil)
            })?;
            match result {
                Some(result) => result,
                // `:accept` from the library here, 2 from that of the gem
                None if matches!(thrown, Value::Int(2))
                    || matches!(thrown, Value::Sym(name) if name.as_str() == "accept") =>
                {
                    return Ok(Then::Ends(entry(vm, &self.values, 0)));
                }
                None => return Ok(Then::Fails),
            }
        };
        let row = target - self.tables.base;
        let state = self.state();
        let next = self.at(vm, Table::GotoPointer, row).map(|at| at + state).and_then(|at| {
            let state = self.at(vm, Table::Goto, at)?;
            (self.at(vm, Table::GotoCheck, at) == Some(row)).then_some(state)
        });
        let next = next.or_else(|| self.at(vm, Table::GotoDefault, row)).unwrap_or(0);
        self.push(vm, next, result);
        Ok(Then::Goes)
    }

    fn tell_error(&mut self, vm: &mut Vm) -> Res<()> {
        if self.status(vm) == 0 {
            let token = Value::Int(self.token.unwrap_or(LAST));
            vm.call(self.parser, self.names.on_error, &[token, self.value.clone(), self.values.clone()])?;
        }
        Ok(())
    }

    /// Goes back to a state that takes the token `error`: the action for it, or the result if there is no such state.
    fn recover(&mut self, vm: &mut Vm) -> ControlFlow<Value, i64> {
        if self.status(vm) == 3 {
            if self.token == Some(LAST) {
                return ControlFlow::Break(Value::Nil);
            }
            self.read_next = true;
        }
        vm.ivar_set(self.parser, self.names.status, Value::Int(3));
        loop {
            let state = self.state();
            if let Some(at) = self.at(vm, Table::ActionPointer, state).map(|at| at + ERROR)
                && let Some(action) = self.at(vm, Table::Action, at)
                && self.at(vm, Table::ActionCheck, at) == Some(state)
            {
                return ControlFlow::Continue(action);
            }
            if self.states.len() <= 1 {
                return ControlFlow::Break(Value::Nil);
            }
            self.states.pop();
            if let Value::Array(values) = &self.values {
                values.get_mut(vm).items.pop();
            }
        }
    }
}
