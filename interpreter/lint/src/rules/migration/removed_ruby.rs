//! A feature is used that a later version of Ruby has removed.

use crate::rules::prelude::*;

/// Constants, the version of Ruby that removed them, and the replacement.
const CONSTANTS: &[(&str, &str, &str)] = &[
    ("Fixnum", "3.2", "Integer"),
    ("Bignum", "3.2", "Integer"),
    ("SortedSet", "3.0", "a Set whose elements are sorted when they are read"),
    ("TimeoutError", "3.0", "Timeout::Error"),
    ("Random::DEFAULT", "3.2", "Random"),
    ("Struct::Tms", "3.2", "Process::Tms"),
];

/// Libraries and the version of Ruby that removed them.
const LIBRARIES: &[(&str, &str)] = &[
    ("scanf", "2.7"),
    ("e2mmap", "2.7"),
    ("thwait", "2.7"),
    ("sync", "2.7"),
    ("tracer", "2.7"),
    ("shell", "2.7"),
    ("cmath", "2.7"),
    ("sdbm", "3.1"),
    ("gdbm", "3.1"),
    ("dbm", "3.1"),
    ("webrick", "3.0"),
    ("xmlrpc/client", "2.4"),
    ("iconv", "2.0"),
    ("ftools", "1.9"),
    ("md5", "1.9"),
    ("sha1", "1.9"),
];

pub static RULE: Rule = Rule {
    alias: "Rchef/RemovedRuby",
    summary: "Something is used that a later Ruby has removed",
    why: "Chef 18 runs on Ruby 3.1, Chef 19 on a later one. rchef still has what Ruby 3.1 has, and some of what it lacks.",
    include: RUNS,
    exclude: TESTS,
    fix: Fix::Safe,
    on: &[
        On::Call(&["exists?", "escape", "unescape", "encode", "decode", "taint", "untaint", "require"]),
        On::Kind(Kind::Const),
    ],
    check,
    bad: r"execute 'a' if File.exists?('/a')
",
    good: r"execute 'a' if File.exist?('/a')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Const) {
        let defined =
            n.parent().is_some_and(|parent| parent.is_any(&[Kind::Class, Kind::Module, Kind::Const, Kind::Defined]));
        if let Some((name, version, instead)) =
            CONSTANTS.iter().find(|(name, ..)| n.is_const(name)).filter(|_| !defined)
        {
            let edits =
                if instead.starts_with("Integer") { vec![Edit::replace(n.span(), *instead)] } else { Vec::new() };
            cx.report_all(n.span(), Some(format!("Ruby {version} removed {name}: use {instead}")), edits);
        }
        return;
    }
    let on = n.recv();
    match n.name() {
        "exists?" if n.argc() == 1 => {
            let file = on.filter(|on| ["File", "Dir", "FileTest"].iter().any(|name| on.is_const(name)));
            if let Some(class) = file {
                let message = format!("Ruby 3.2 removed {}.exists?: use {}.exist?", class.src(), class.src());
                cx.report_all(n.selector(), Some(message), vec![Edit::replace(n.selector(), "exist?")]);
            }
        }
        "escape" | "unescape" | "encode" | "decode" if on.is_some_and(|on| on.is_const("URI")) => {
            let message =
                format!("Ruby 3.0 removed URI.{}: use URI::DEFAULT_PARSER, or ERB::Util.url_encode", n.name());
            cx.report_saying(n.span(), message);
        }
        "taint" | "untaint" if on.is_some() && n.argc() == 0 => {
            cx.report_saying(n.selector(), format!("Ruby 3.2 removed {}: nothing is to be done instead", n.name()));
        }
        "require" if on.is_none() => {
            let name = n.only_arg().and_then(N::as_str).unwrap_or_default();
            let rescued = n.ancestors().any(|outer| outer.is_any(&[Kind::Rescue, Kind::Resbody, Kind::If]));
            if let Some((name, version)) = LIBRARIES.iter().find(|(library, _)| *library == name).filter(|_| !rescued) {
                cx.report_saying(n.span(), format!("Ruby {version} no longer has the library {name}"));
            }
        }
        _ => {}
    }
}
