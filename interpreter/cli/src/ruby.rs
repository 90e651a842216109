//! `rchef ruby [-e CODE] [-r FILE]... [-I DIR]... [FILE [ARG...]]`: plain Ruby on the engine, with MRI's exit status and error output.

use rchef_host::{Files, RealHost};
use rchef_ruby::{ClassId, Error, Symbol, Unwind, Value, Vm};
use std::rc::Rc;

#[derive(Default)]
struct Options {
    code: Vec<String>,
    requires: Vec<String>,
    include: Vec<String>,
    file: Option<String>,
    args: Vec<String>,
}

fn parse(args: &[String]) -> Options {
    let mut options = Options::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut value = |prefix: usize| if arg.len() > prefix { arg[prefix..].to_string() } else { rest.next().cloned().unwrap_or_default() };
        match arg.as_str() {
            "-e" => options.code.push(value(2)),
            _ if arg.starts_with("-r") => options.requires.push(value(2)),
            _ if arg.starts_with("-I") => options.include.push(value(2)),
            "--" => {}
            _ if arg.starts_with("-") && arg.len() > 1 => {}
            _ => {
                if options.code.is_empty() {
                    options.file = Some(arg.clone());
                } else {
                    options.args.push(arg.clone());
                }
                options.args.extend(rest.cloned());
                break;
            }
        }
    }
    options
}

/// Runs; the number is the exit status.
pub fn run(args: &[String]) -> u8 {
    let options = parse(args);
    let host = Rc::new(RealHost::new());
    let Some(mut vm) = Vm::new(host.clone()) else { return 1 };
    let (source, path) = match &options.file {
        _ if !options.code.is_empty() => (options.code.join("\n").into_bytes(), "-e".to_string()),
        Some(file) => match rchef_host::compose::read_file(&*host, file.as_bytes()) {
            Ok(source) => (source, file.clone()),
            Err(error) => {
                let text = format!("ruby: {} -- {file} (LoadError)\n", error.message());
                let _ = vm.write_stderr(text.as_bytes());
                return 1;
            }
        },
        None => (Vec::new(), "-".to_string()),
    };
    let argv = options.args.iter().map(Value::str).collect();
    vm.const_set(ClassId::OBJECT, Symbol::intern("ARGV"), Value::array(argv));
    let _ = vm.global_set(Symbol::intern("$0"), Value::str(&path));
    let _ = host.getcwd();
    let result = vm.run_main(&source, &path);
    finish(&mut vm, result.map(drop))
}

fn finish(vm: &mut Vm, result: Result<(), Error>) -> u8 {
    let Err(error) = result else { return 0 };
    let exception = match *error.0 {
        Unwind::Raise(value) => value,
        other => vm.error_value(other.into()),
    };
    let message = vm.call_name(&exception, "message", &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
    let class = vm.class_name_of(&exception);
    let lines = match vm.call_name(&exception, "backtrace", &[]) {
        Ok(Value::Array(lines)) => lines.get(vm).items.clone(),
        _ => Vec::new(),
    };
    let mut out = String::new();
    let mut lines = lines.iter();
    if let Some(first) = lines.next() {
        out.push_str(&vm.to_s_text(first).unwrap_or_default());
        out.push_str(": ");
    }
    let (head, tail) = message.split_once('\n').unwrap_or((&message, ""));
    out.push_str(&format!("{head} ({class})\n"));
    if !tail.is_empty() {
        out.push_str(tail);
        out.push('\n');
    }
    for line in lines {
        out.push_str(&format!("\tfrom {}\n", vm.to_s_text(line).unwrap_or_default()));
    }
    let _ = vm.write_stderr(out.as_bytes());
    1
}
