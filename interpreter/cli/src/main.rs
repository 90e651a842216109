//! The `rchef` command: see `ruby` for `rchef ruby`.

mod ruby;

use std::process::ExitCode;

/// Native stack of the main program: deep Ruby recursion uses it; pages are only taken when touched.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let status = rchef_ruby::vm::on_large_stack(STACK, || run(&args)).unwrap_or(1);
    ExitCode::from(status)
}

fn run(args: &[String]) -> u8 {
    match args.first().map(String::as_str) {
        Some("ruby") => ruby::run(&args[1..]),
        _ => 1,
    }
}
