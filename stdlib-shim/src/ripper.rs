//! The tokens and the trees of Ripper's events; the rest is in `ruby/ripper.rb` and `ruby/ripper_events.rb`.

use rchef_ruby::{Args, ClassId, MethodDef, RString, Res, Value, Vm, def};
use rchef_syntax::ripper::{Sexp, first_line_start, is_of_compiler, lex, sexp};
use rchef_syntax::{ParseKind, ParseRequest, parse};

static NATIVE: &[MethodDef] = &[def("tree", tree, 1), def("error", error, 3), def("tokens", tokens, 2)];

/// Defines Ripper::Native.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let ripper = vm.define_class(ClassId::OBJECT, "Ripper", ClassId::OBJECT);
    let native = vm.define_module(ripper, "Native");
    vm.define_module_functions(native, NATIVE);
    Ok(())
}

/// `error(source, file, line)`: the error in a source, its line, the column under which the message has a caret, and that of the token at fault; nil if there
/// is no error.
fn error(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let source = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let file = vm.to_text(args.at(1))?;
    let first_line = vm.to_int(args.at(2))?;
    let first_line = i32::try_from(first_line).unwrap_or(1);
    // like Ripper, accept what is only valid inside a method
    let request = ParseRequest { first_line, ..ParseRequest::file(&source, &file, ParseKind::Eval) };
    let Err(error) = parse(request) else { return Ok(Value::Nil) };
    let line = error.message.lines().next().unwrap_or_default();
    let what = line.strip_prefix(&format!("{file}:{}: ", error.line)).unwrap_or(line);
    if is_of_compiler(what.as_bytes()) || what.starts_with("Can't escape from eval with ") {
        return Ok(Value::Nil);
    }
    let column = error.message.lines().nth(2).and_then(|carets| carets.find('^'));
    let column = column.map_or(Value::Nil, Value::len);
    let token = error.column.map_or(Value::Nil, |column| Value::Int(i64::from(column)));
    Ok(Value::array(vec![Value::str(what), Value::Int(i64::from(error.line)), column, token]))
}

/// The tree of a source ([`rchef_syntax::ripper`]), where a node that knows its end has it as its first item; nil if it has errors or
/// unsupported constructs.
fn tree(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let source = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    match sexp(&source) {
        Some(found) => value(vm, found),
        None => Ok(Value::Nil),
    }
}
fn value(vm: &mut Vm, sexp: Sexp) -> Res {
    Ok(match sexp {
        Sexp::Sym(name) => Value::sym(&name),
        Sexp::Str(text) => Value::string(RString::utf8(text)),
        Sexp::Int(number) => Value::Int(number),
        Sexp::Nil => Value::Nil,
        Sexp::False => Value::False,
        Sexp::List(parts) => Value::array(values(vm, Vec::new(), parts)?),
        Sexp::Node(end, parts) => Value::array(values(vm, vec![Value::len(end)], parts)?),
    })
}
fn values(vm: &mut Vm, mut items: Vec<Value>, parts: Vec<Sexp>) -> Res<Vec<Value>> {
    vm.check_stack()?;
    for part in parts {
        items.push(value(vm, part)?);
    }
    Ok(items)
}

fn offset(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
/// `tokens(source, line)`: the tokens as [[line, column], kind, text, bits of the state], and the indices of the comments that end a statement.
fn tokens(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let source = vm.to_str(args.at(0))?;
    let (source, encoding) = (source.get(vm).bytes().to_vec(), source.get(vm).encoding());
    let mut line = vm.to_int(args.at(1))?;
    let mut line_start = offset(first_line_start(&source));
    let mut found = Vec::new();
    let mut ends = Vec::new();
    for (index, token) in lex::tokens(&source).into_iter().enumerate() {
        let text = &source[token.start..token.end];
        let place = Value::array(vec![Value::Int(line), Value::Int(offset(token.start) - line_start)]);
        let text_value = Value::string(RString::new(text, encoding));
        found.push(Value::array(vec![place, Value::sym(token.kind), text_value, Value::Int(i64::from(token.state))]));
        if token.ends_statement {
            ends.push(Value::len(index));
        }
        for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            line += 1;
            line_start = offset(token.start + at + 1);
        }
    }
    Ok(Value::array(vec![Value::array(found), Value::array(ends)]))
}
