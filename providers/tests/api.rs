//! Chef's Ruby API as code of cookbooks sees it: the answers to `api/cases.txt` are those of Chef's own library (`api/record`).

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_host::RealHost;
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::on_large_stack;
use std::rc::Rc;

/// What the cases may use beside Ruby's and Chef's own methods.
const HELPERS: &str = r##"
require "tmpdir"
require "fileutils"
def err
  yield
  "no error"
rescue Exception => e
  "#{e.class}: #{e.message.lines.first.to_s.chomp}"
end
"##;

/// Titles and what follows them up to the next one.
fn parts(text: &str) -> Vec<(String, String)> {
    let parts = text.strip_prefix("== ").unwrap_or_default().split("\n== ");
    parts.filter_map(|part| part.split_once('\n')).map(|(name, rest)| (name.to_string(), rest.to_string())).collect()
}

/// The answer of a case, on a machine of its own.
fn answer(name: &str, code: &str) -> String {
    let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
    rchef_stdlib::register(&mut vm);
    rchef_providers::boot(&mut vm).unwrap();
    vm.run_string(HELPERS.as_bytes(), "helpers.rb", 1).unwrap();
    let code = format!("begin\n{code}\nend.inspect");
    match vm.run_string(code.as_bytes(), name, 0) {
        Ok(value) => vm.to_s_text(&value).unwrap(),
        Err(error) => {
            let exception = vm.error_value(error);
            let text = vm.call_name(&exception, "message", &[]).unwrap();
            format!("{}: {}", vm.class_name_of(&exception), vm.to_s_text(&text).unwrap())
        }
    }
}

#[test]
fn answers_are_those_of_chef() {
    let wrong = on_large_stack(1 << 28, || {
        let answers = parts(include_str!("api/cases.out"));
        let cases = parts(include_str!("api/cases.txt"));
        assert_eq!(answers.len(), cases.len());
        let mut wrong = Vec::new();
        for ((name, code), (_, expected)) in cases.iter().zip(&answers) {
            let got = answer(name, code);
            if got != expected.trim_end() {
                wrong.push(format!("{name}\n  Chef:  {}\n  rchef: {got}", expected.trim_end()));
            }
        }
        wrong
    });
    let wrong = wrong.unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
