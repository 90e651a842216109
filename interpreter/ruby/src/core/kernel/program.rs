//! The main program as a command line has it: with a loop over lines around it, and literals as it says.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any};
use crate::value::Value;
use rchef_syntax::lower::{LineLoop, ParseKind, ParseRequest};
use rchef_syntax::symbol::{Symbol, sym};
use rchef_syntax::tree::LitEncoding;

/// How a program runs.
#[derive(Clone, Copy, Default)]
pub struct Program<'a> {
    /// The loop around it, with which `sub`, `gsub`, `chop` and `chomp` change the line.
    pub loops: Option<LineLoop>,
    /// The encoding of its source, if no comment names one.
    pub encoding: Option<&'a str>,
}

/// Whether literals are frozen in sources that do not say.
#[derive(Default)]
pub(super) struct Literals {
    pub(super) frozen: Option<bool>,
}

/// In programs that loop over lines: functions of the last line read.
static LINE: &[MethodDef] = &[
    any("sub", sub).private(),
    any("gsub", gsub).private(),
    any("chop", chop).private(),
    any("chomp", chomp).private(),
];

/// `$_` becomes what its method returns.
fn change_line(vm: &mut Vm, method: &'static str, args: Args<'_>) -> Res {
    let line = vm.global_get(sym::DOLLAR_UNDERSCORE)?;
    if !matches!(line, Value::Str(_)) {
        let described = vm.describe(&line);
        return Err(vm.type_error(format!("$_ value need to be String ({described} given)")));
    }
    let changed = vm.call_args(&line, Symbol::intern_static(method), args)?;
    vm.global_set(sym::DOLLAR_UNDERSCORE, changed.clone())?;
    Ok(changed)
}
fn sub(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    change_line(vm, "sub", args)
}
fn gsub(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    change_line(vm, "gsub", args)
}
fn chop(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    change_line(vm, "chop", args)
}
fn chomp(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    change_line(vm, "chomp", args)
}

impl Vm {
    /// Says whether String literals are frozen in sources without a comment that says so.
    pub fn set_literals_frozen(&mut self, frozen: Option<bool>) {
        self.extension::<Literals>().frozen = frozen;
    }
    /// Runs the main program.
    pub fn run_program(&mut self, source: &[u8], path: &str, program: Program<'_>) -> Res {
        if program.loops.is_some() {
            self.define_methods(ClassId::KERNEL, LINE);
        }
        let mut request = ParseRequest::file(source, path, ParseKind::Main);
        request.loops = program.loops;
        if let Some(name) = program.encoding {
            request.encoding = LitEncoding::named(name.to_ascii_lowercase().as_bytes());
        }
        let parsed = self.parse(request)?;
        self.run_main_parsed(source, path, &parsed)
    }
}
