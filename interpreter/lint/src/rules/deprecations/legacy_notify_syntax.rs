//! A notification names its target by `resources(...)`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/LegacyNotifySyntax",
    summary: "A notification names its target by `resources(...)`",
    why: "The target must be declared before that way; the text form may name one that comes later.",
    replaced_by: "'type[name]'",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["notifies", "subscribes"])],
    check,
    bad: r"template '/etc/a' do
  notifies :restart, resources(service: 'a')
end
",
    good: r"template '/etc/a' do
  notifies :restart, 'service[a]'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let (Some(action), Some(target)) = (n.arg(0), n.arg(1)) else { return };
    if n.recv().is_some() || !action.is(Kind::Sym) || !target.is_call("resources") {
        return;
    }
    let Some(hash) = target.only_arg().filter(|hash| hash.is(Kind::Hash) && hash.places() == 1) else { return };
    let Some((kind, name)) = hash.pairs().next() else { return };
    if !kind.is_any(&[Kind::Sym, Kind::Str]) {
        return;
    }
    if name.is_any(&[Kind::Array, Kind::Hash]) {
        // several targets are several notifications
        cx.report(n.span());
        return;
    }
    let kind = kind.value();
    let target = match (name.kind(), quoted(name.src())) {
        (Kind::Str, Some((_, inner))) if !inner.contains(['\'', '"', '\\', '#']) => format!("'{kind}[{inner}]'"),
        // the text between the quotes is kept as written
        (Kind::Str | Kind::Dstr, Some((quote, inner))) => format!("{quote}{kind}[{inner}]{quote}"),
        _ => format!("\"{kind}[#{{{}}}]\"", name.src()),
    };
    let mut call = format!("{} {}, {target}", n.name(), action.src());
    if let Some(timing) = n.arg(2) {
        call.push_str(", ");
        call.push_str(timing.src());
    }
    report_replacement(cx, n, call);
}

/// The quote character and the text of a string literal on a single line.
fn quoted(text: &str) -> Option<(char, &str)> {
    let inner = |quote: char| Some((quote, text.strip_prefix(quote)?.strip_suffix(quote)?));
    inner('\'').or_else(|| inner('"')).filter(|(_, inner)| !inner.contains('\n'))
}
