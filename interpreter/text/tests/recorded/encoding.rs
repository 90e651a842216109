//! Encodings, inspect and dump.
use super::{compare, num, text};
use rchef_text::encoding::*;
use rchef_text::inspect::*;

fn hex(b: &[u8]) -> String {
    b.iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn recorded() {
    compare(include_str!("../data/encoding.txt"), |op, a| {
        let enc = |i: usize| Encoding::find(text(a[i])).unwrap();
        match op {
            "names" => {
                let e = enc(0);
                format!("{} {} {}", e.name(), e.is_dummy(), e.is_ascii_compatible()).into_bytes()
            }
            "valid" => valid(a[1], enc(0)).to_string().into_bytes(),
            "chars" => chars(a[1], enc(0)).map(|r| hex(&a[1][r])).collect::<Vec<_>>().join(",").into_bytes(),
            "length" => {
                let range = scan(a[1], enc(0));
                let n = char_count(a[1], enc(0), Some(range));
                assert_eq!(n, char_count(a[1], enc(0), None));
                let starts: Vec<usize> = chars(a[1], enc(0)).map(|r| r.start).collect();
                for (i, &at) in starts.iter().enumerate() {
                    assert_eq!(byte_index(a[1], enc(0), range, i), Some(at));
                    assert_eq!(char_index(a[1], enc(0), range, at), i);
                }
                for at in 0..a[1].len() {
                    assert_eq!(
                        is_char_start(a[1], enc(0), range, at),
                        starts.contains(&at),
                        "{} {at} {:?}",
                        text(a[0]),
                        a[1]
                    );
                }
                assert_eq!(
                    last_char_start(a[1], enc(0), range, a[1].len()),
                    starts.last().copied(),
                    "{} {:?}",
                    text(a[0]),
                    a[1]
                );
                assert_eq!(byte_index(a[1], enc(0), range, n), Some(a[1].len()));
                assert_eq!(byte_index(a[1], enc(0), range, n + 1), None);
                n.to_string().into_bytes()
            }
            "inspect" => inspect(a[1], enc(0)),
            "dump" => dump(a[1], enc(0)),
            "scrub" => scrub(a[1], enc(0), None),
            "symbol" => {
                let e = if a[1].is_ascii() { Encoding::UsAscii } else { enc(0) };
                inspect_symbol(a[1], e)
            }
            "ord" => match codepoint_at(a[1], 0, enc(0)) {
                Ok((c, _)) => c.to_string().into_bytes(),
                Err(e) => format!("!ArgumentError: {e}").into_bytes(),
            },
            "chr" => {
                let mut out = Vec::new();
                match encode_codepoint(num(a[1]), enc(0), &mut out) {
                    Ok(()) => out,
                    Err(e) => format!("!RangeError: {e}").into_bytes(),
                }
            }
            "encode" => {
                let o = text(a[2]);
                let replace = o.ends_with('q').then_some(Replace { bytes: b"<q>", enc: Encoding::Utf8 });
                let mut options = Options { replace, ..Options::default() };
                match o {
                    "xt" => options.decorators.xml_text = true,
                    "xa" => options.decorators.xml_attr = true,
                    "nu" => options.decorators.universal = true,
                    "nc" => options.decorators.crlf = true,
                    "nr" => options.decorators.cr = true,
                    _ => {
                        options.invalid_replace = o.contains('i');
                        options.undef_replace = o.contains('r');
                    }
                }
                match transcode(a[3], enc(0), enc(1), &mut options) {
                    Ok(v) => v,
                    Err(e) => {
                        let class = match &e {
                            TranscodeError::NotFound { .. } => "ConverterNotFoundError",
                            TranscodeError::Invalid(_) => "InvalidByteSequenceError",
                            TranscodeError::Undefined(_) => "UndefinedConversionError",
                        };
                        format!("!Encoding::{class}: {e}").into_bytes()
                    }
                }
            }
            "compatible" => match compatible(Operand::bytes(a[1], enc(0)), Operand::bytes(a[3], enc(2))) {
                Some(e) => e.name().into(),
                None => "nil".into(),
            },
            "undump" => match undump(a[1], enc(0)) {
                Ok((b, e)) => [e.name().as_bytes(), b":", &b].concat(),
                Err(e) => format!("!RuntimeError: {e}").into_bytes(),
            },
            other => panic!("{other}"),
        }
    });
}
