//! Reading from ARGF: each method goes on with the next file where one ends.

use super::{Argf, Place, advance, close_current, count_lines, has_names, is_global, of, on_current};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::Block;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::rc::Rc;

fn eof_error(vm: &mut Vm) -> crate::Error {
    vm.error(ClassId::EOF_ERROR, "end of file reached")
}
/// Goes on with the next file, if there is one; false at the end of standard input.
fn leave(vm: &mut Vm, argf: &Argf) -> Res<bool> {
    if argf.place.get() == Place::Input {
        return Ok(false);
    }
    close_current(vm, argf)?;
    argf.place.set(Place::Next);
    Ok(true)
}
/// The first result of the method that is not nil, of the current file or those after it.
fn through(vm: &mut Vm, argf: &Argf, method: &'static str, args: Args<'_>) -> Res {
    while advance(vm, argf)? {
        let found = on_current(vm, argf, method, args)?;
        if !found.is_nil() || !leave(vm, argf)? {
            return Ok(found);
        }
    }
    Ok(Value::Nil)
}
pub(super) fn gets(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    let before = argf.lineno.get();
    let line = through(vm, &argf, "gets", args)?;
    if !line.is_nil() {
        count_lines(&argf, before + 1);
    }
    vm.global_set(sym::DOLLAR_UNDERSCORE, line.clone())?;
    Ok(line)
}
pub(super) fn readline(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let line = gets(vm, this, args)?;
    if line.is_nil() { Err(eof_error(vm)) } else { Ok(line) }
}
pub(super) fn readlines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    let mut lines = Vec::new();
    while advance(vm, &argf)? {
        let before = argf.lineno.get();
        let found = on_current(vm, &argf, "readlines", args)?;
        let found = vm.to_ary(&found)?.get(vm).items.to_vec();
        close_current(vm, &argf)?;
        argf.place.set(Place::Next);
        count_lines(&argf, before + found.len() as i64);
        vm.check_growth(lines.len(), found.len())?;
        lines.extend(found);
    }
    argf.place.set(Place::New);
    Ok(Value::array(lines))
}
pub(super) fn getc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    through(vm, &argf, "getc", args)
}
pub(super) fn getbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    through(vm, &argf, "getbyte", args)
}
pub(super) fn readchar(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = getc(vm, this, args)?;
    if found.is_nil() { Err(eof_error(vm)) } else { Ok(found) }
}
pub(super) fn readbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = getbyte(vm, this, args)?;
    if found.is_nil() { Err(eof_error(vm)) } else { Ok(found) }
}
/// What an iterator passes to its block.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    Line,
    Char,
    Byte,
    Codepoint,
}
impl Item {
    /// The method that reads one.
    fn reader(self) -> &'static str {
        match self {
            Item::Line => "gets",
            Item::Char | Item::Codepoint => "getc",
            Item::Byte => "getbyte",
        }
    }
}
/// Passes the items of all files to the block, which may skip or close the current file.
fn each(vm: &mut Vm, this: &Value, args: Args<'_>, name: &'static str, item: Item) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, name, args) };
    let argf = of(vm, this);
    let args = args.with_block(None);
    if item == Item::Line && crate::core::io::lines::call_line_args(vm, args)?.limit == Some(0) {
        return Err(vm.argument_error("invalid limit: 0 for each_line"));
    }
    while advance(vm, &argf)? {
        each_of_current(vm, &argf, args, item, block)?;
    }
    Ok(this.clone())
}
fn each_of_current(vm: &mut Vm, argf: &Rc<Argf>, args: Args<'_>, item: Item, block: Block<'_>) -> Res<()> {
    let file = argf.current.borrow().clone();
    loop {
        let mut found = vm.call_args(&file, Symbol::intern_static(item.reader()), args)?;
        if found.is_nil() {
            argf.place.set(Place::Next);
            return Ok(());
        }
        match item {
            Item::Line if !is_global(vm, argf) => argf.lineno.set(argf.lineno.get() + 1),
            Item::Codepoint => found = vm.call_name(&found, "ord", &[])?,
            _ => {}
        }
        vm.yield1(block, found)?;
        if argf.closed.get() || !argf.current.borrow().same(&file) {
            return Ok(());
        }
    }
}
pub(super) fn each_line(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    each(vm, this, args, "each_line", Item::Line)
}
pub(super) fn each_char(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    each(vm, this, args, "each_char", Item::Char)
}
pub(super) fn each_byte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    each(vm, this, args, "each_byte", Item::Byte)
}
pub(super) fn each_codepoint(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    each(vm, this, args, "each_codepoint", Item::Codepoint)
}
/// The buffer argument, emptied.
fn emptied(vm: &mut Vm, buffer: &Value) -> Res<Option<Value>> {
    if buffer.is_nil() {
        return Ok(None);
    }
    let buffer = Value::Str(vm.to_str(buffer)?);
    vm.check_frozen(&buffer)?;
    if let Value::Str(text) = &buffer {
        text.get_mut(vm).bytes_mut().clear();
    }
    Ok(Some(buffer))
}
pub(super) fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    let wanted = match args.at(0) {
        Value::Nil => None,
        count => Some(vm.to_int(count)?),
    };
    let mut out = emptied(vm, args.at(1))?;
    let mut left = wanted;
    while advance(vm, &argf)? {
        let count = left.map_or(Value::Nil, Value::Int);
        let got = on_current(vm, &argf, "read", Args::new(&[count]))?;
        match (&out, &got) {
            (None, _) => out = Some(got.clone()).filter(|got| !got.is_nil()),
            (Some(Value::Str(out)), Value::Str(more)) => crate::core::string::common::append(vm, out, more)?,
            _ => {}
        }
        if got.is_nil() || wanted.is_none() {
            if !leave(vm, &argf)? {
                break;
            }
            continue;
        }
        let size = match &out {
            Some(Value::Str(out)) => out.get(vm).bytesize() as i64,
            _ => 0,
        };
        left = wanted.map(|wanted| wanted - size);
        if left.is_some_and(|left| left <= 0) {
            break;
        }
    }
    Ok(Value::or_nil(out))
}
/// Bytes of one file; an empty String where a file ends and another one follows.
fn partial(vm: &mut Vm, this: &Value, args: Args<'_>, method: &'static str) -> Res {
    let argf = of(vm, this);
    let quiet = args.keyword(vm, Symbol::intern_static("exception")).is_some_and(|value| !value.truthy());
    let (pos, _) = args.split();
    let buffer = pos.get(1).unwrap_or(&Value::Nil);
    let nothing = |vm: &mut Vm| if quiet { Ok(Value::Nil) } else { Err(eof_error(vm)) };
    if !advance(vm, &argf)? {
        emptied(vm, buffer)?;
        return Err(eof_error(vm));
    }
    let found = vm.rescue(ClassId::EOF_ERROR, |vm| on_current(vm, &argf, method, args), |_, _| Ok(Value::Nil))?;
    if !found.is_nil() {
        return Ok(found);
    }
    if !leave(vm, &argf)? || !has_names(vm, &argf) {
        return nothing(vm);
    }
    Ok(emptied(vm, buffer)?.unwrap_or_else(|| Value::str("")))
}
pub(super) fn readpartial(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    partial(vm, this, args, "readpartial")
}
pub(super) fn read_nonblock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    partial(vm, this, args, "read_nonblock")
}
pub(super) fn eof(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    advance(vm, &argf)?;
    if argf.current.borrow().is_nil() {
        return Ok(Value::False);
    }
    on_current(vm, &argf, "eof?", args)
}
