//! tr, succ, case, fnmatch, base64.
use super::{compare, num, text};
use rchef_text::encoding::Encoding;
use rchef_text::{base64, case, fnmatch, succ, tr};

const U: Encoding = Encoding::Utf8;

fn show(r: Result<Vec<u8>, tr::TrError>) -> Vec<u8> {
    r.unwrap_or_else(|e| format!("!ArgumentError: {e}").into_bytes())
}

fn decoded(r: Option<Vec<u8>>) -> Vec<u8> {
    r.unwrap_or_else(|| b"!ArgumentError: invalid base64".to_vec())
}

fn map(name: &[u8]) -> case::CaseMap {
    match text(name) {
        "upcase" => case::CaseMap::Up,
        "downcase" => case::CaseMap::Down,
        "swapcase" => case::CaseMap::Swap,
        _ => case::CaseMap::Capitalize,
    }
}

#[test]
fn recorded() {
    compare(include_str!("../data/text.txt"), |op, a| match op {
        "tr" => show(tr::tr(a[0], U, a[1], a[2], false).map(|made| made.unwrap_or_else(|| a[0].to_vec()))),
        "tr_s" => show(tr::tr(a[0], U, a[1], a[2], true).map(|made| made.unwrap_or_else(|| a[0].to_vec()))),
        "delete" => show(tr::CharSet::new(&[a[1]], U).and_then(|s| tr::delete(a[0], U, &s))),
        "squeeze" => show(tr::CharSet::new(&[a[1]], U).and_then(|s| tr::squeeze(a[0], U, Some(&s)))),
        "squeeze0" => show(tr::squeeze(a[0], U, None)),
        "count" => {
            show(tr::CharSet::new(&[a[1]], U).and_then(|s| tr::count(a[0], U, &s)).map(|n| n.to_string().into()))
        }
        "count2" => show(
            tr::CharSet::new(&[a[1], b"a-m"], U).and_then(|s| tr::count(a[0], U, &s)).map(|n| n.to_string().into()),
        ),
        "succ" => succ::succ(a[0], U),
        "succb" => succ::succ(a[0], Encoding::Binary),
        "case" => {
            let option = match text(a[1]) {
                "ascii" => case::CaseOption::Ascii,
                "turkic" => case::CaseOption::Turkic,
                "fold" => case::CaseOption::Fold,
                _ => case::CaseOption::Full,
            };
            case::convert(a[2], U, map(a[0]), option)
        }
        "caseenc" => case::convert(a[2], Encoding::find(text(a[1])).unwrap(), map(a[0]), case::CaseOption::Full),
        "casecmp" => (case::casecmp(a[0], a[1]) as i32).to_string().into(),
        "casecmp?" => case::casecmp_p(a[0], U, a[1], U).to_string().into(),
        "fnmatch" => fnmatch::fnmatch(a[0], a[1], num(a[2])).to_string().into(),
        "b64strict" => base64::strict_encode(a[0]),
        "b64" => base64::encode_lines(a[0], 45),
        "b64n" => base64::encode_lines(a[0], 30),
        "b64url" => base64::urlsafe_encode(a[0], true),
        "b64urlnp" => base64::urlsafe_encode(a[0], false),
        "d64" => base64::decode(a[0]),
        "d64strict" => decoded(base64::strict_decode(a[0])),
        "d64url" => decoded(base64::urlsafe_decode(a[0])),
        other => panic!("{other}"),
    });
}
