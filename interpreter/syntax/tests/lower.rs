//! Each file of `cases/` holds sources and the trees they lower to: `source`, a line `----`, the tree, a line `====`.
//! `RCHEF_BLESS=1 cargo test -p rchef-syntax` writes the trees anew.
#![allow(clippy::disallowed_methods)] // a failure is the test's, and so is the machine

use rchef_syntax::{ParseKind, ParseRequest, Symbol, dump::dump, parse};

fn lowered(source: &str) -> String {
    match parse(ParseRequest::file(source.as_bytes(), "case.rb", ParseKind::Main)) {
        Ok(parsed) => {
            let mut out = dump(&parsed.code);
            for rchef_syntax::warning::Warning { line, text, verbose: _ } in
                parsed.warnings.into_iter().filter(|warning| !warning.verbose)
            {
                out.push_str(&format!("warning {line}: {text}\n"));
            }
            out
        }
        Err(error) => format!("{error}\n"),
    }
}

#[test]
fn cases() {
    let bless = std::env::var_os("RCHEF_BLESS").is_some();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut wrong = String::new();
    let mut count = 0;
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut fresh = String::new();
        for case in text.split("====\n").filter(|case| !case.trim().is_empty()) {
            let (source, expected) = case.split_once("----\n").unwrap_or((case, ""));
            let tree = lowered(source);
            count += 1;
            if tree != expected {
                wrong.push_str(&format!("{}:\n{source}expected\n{expected}got\n{tree}\n", path.display()));
            }
            fresh.push_str(&format!("{source}----\n{tree}====\n"));
        }
        if bless {
            std::fs::write(&path, fresh).unwrap();
        }
    }
    assert!(count > 40, "{count} cases");
    assert!(bless || wrong.is_empty(), "{wrong}");
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

/// On the small stack of a test's thread: neither the parse nor the drop of what it gives overflows.
#[test]
fn deep_source() {
    let pairs = [
        ("(", "1", ")"),
        ("[", "", "]"),
        ("f(", "1", ")"),
        ("->{", "1", "}"),
        ("def a;", "1", ";end"),
        ("\"#{", "1", "}\""),
        ("if 1;", "1", ";end"),
    ];
    for (open, middle, close) in pairs {
        let error =
            parse(ParseRequest::file(nested(open, middle, close, 100_000).as_bytes(), "deep.rb", ParseKind::Main))
                .unwrap_err();
        assert!(error.message.contains("nesting too deep"), "{open}: {error}");
        let source = nested(open, middle, close, 2_000);
        assert!(parse(ParseRequest::file(source.as_bytes(), "deep.rb", ParseKind::Main)).is_ok(), "{open}");
    }
    for link in [" + 1", ".a", ".b(1) { 2 }", "[1]", " && 1", " if 1", " rescue 1"] {
        let source = format!("x{}", link.repeat(10_000));
        assert!(parse(ParseRequest::file(source.as_bytes(), "long.rb", ParseKind::Main)).is_ok(), "{link}");
    }
}

#[test]
fn eval_sees_the_scopes_it_is_given() {
    let names = |list: &[&str]| list.iter().map(|name| Symbol::intern(name)).collect::<Vec<_>>();
    let scopes = [names(&["a", "", "b"]), names(&["c"])];
    let method = rchef_syntax::tree::Params { required: 1, ..Default::default() };
    let request = ParseRequest {
        source: b"d = a + b + c\n[1].each { |b| super; d }\n",
        path: "(eval)",
        first_line: 7,
        kind: ParseKind::Eval,
        scopes: &scopes,
        method: Some((2, &method)),
        frozen_string_literal: None,
        encoding: rchef_syntax::tree::LitEncoding::Utf8,
        marks: false,
        branches: false,
        regexps: false,
        loops: None,
    };
    let tree = dump(&parse(request).unwrap().code);
    let expected = "(eval@7-9
  (locals d:0)
  (seq
    (= d:0 (op +@7 (op +@7 ?:^2.0 ?:^2.2) ?:^1.0))
    (call each@8 (array 1) (block@8-8 (locals b:0) (params b:0) (seq (super@8 implicit ?:^3.0) d:^1.0)))))
";
    assert_eq!(tree, expected);
}

/// What is an error at the top of a file can be right inside of a method, a block or a loop.
#[test]
fn eval_accepts_what_its_surroundings_allow() {
    let scope = ["*rest", "**kwrest", "&block", "_1", "x"].iter().map(|name| Symbol::intern(name)).collect::<Vec<_>>();
    for source in ["yield 1", "super", "foo(...)", "foo(&)", "_1 + x", "return 1", "X = 1"] {
        let request = ParseRequest {
            scopes: std::slice::from_ref(&scope),
            ..ParseRequest::file(source.as_bytes(), "(eval)", ParseKind::Eval)
        };
        if let Err(error) = parse(request) {
            panic!("{source}: {error}");
        }
    }
    let request = ParseRequest { scopes: &[scope], ..ParseRequest::file(b"break", "(eval)", ParseKind::Eval) };
    assert_eq!(parse(request).unwrap_err().message, "(eval):1: Can't escape from eval with break");
}

#[test]
fn data_and_encodings() {
    let parsed = parse(ParseRequest::file(b"1\n__END__\nrest\n", "data.rb", ParseKind::Main)).unwrap();
    assert_eq!(parsed.code.file.data_offset, Some(10));
    let parsed = parse(ParseRequest::file(b"# encoding: binary\n'\xff'\n", "binary.rb", ParseKind::Main)).unwrap();
    assert!(dump(&parsed.code).contains("b\"\\xff\"/binary"));
    let parsed =
        parse(ParseRequest::file(b"# -*- coding: us-ascii -*-\n'a'; \"\\u00e9\"\n", "ascii.rb", ParseKind::Main))
            .unwrap();
    assert!(dump(&parsed.code).contains("(seq \"a\"/us-ascii \"é\")"));
    let frozen =
        ParseRequest { frozen_string_literal: Some(true), ..ParseRequest::file(b"'a'", "f.rb", ParseKind::File) };
    assert!(dump(&parse(frozen).unwrap().code).contains("\"a\"/frozen"));
}
