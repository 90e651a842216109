//! A file mode is a number.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/FileMode",
    summary: "A file mode is a number",
    why: "Without the leading zero a number is decimal, and means something else.",
    level: Level::Info,
    replaced_by: "'644'",
    fix: Fix::Safe,
    exclude: &["**/attributes/*", "**/metadata.rb", "**/Berksfile"],
    on: &[On::Call(&["mode", "files_mode"])],
    check,
    bad: r"file '/etc/a' do
  mode 0644
end
",
    good: r"file '/etc/a' do
  mode '644'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(mode) = n.only_arg().filter(|mode| n.recv().is_none() && mode.is(Kind::Int)) else { return };
    let source = mode.src().replace('_', "").to_ascii_lowercase();
    let (negative, digits) = source.strip_prefix('-').map_or((false, source.as_str()), |rest| (true, rest));
    let (base, digits) = if let Some(rest) = digits.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = digits.strip_prefix("0b") {
        (2, rest)
    } else if let Some(rest) = digits.strip_prefix("0o") {
        (8, rest)
    } else if let Some(rest) = digits.strip_prefix("0d") {
        (10, rest)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (8, &digits[1..])
    } else {
        (10, digits)
    };
    match u64::from_str_radix(digits, base) {
        Ok(value) => {
            let sign = if negative { "-" } else { "" };
            let octal = base == 8 || source == "0";
            let text = if octal { format!("'{sign}{value:o}'") } else { format!("'{sign}{value}'") };
            report_replacement(cx, mode, text);
        }
        Err(_) => cx.report(mode.span()),
    }
}
