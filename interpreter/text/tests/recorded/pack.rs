//! pack, unpack, escapes, spelling.
use super::{compare, num, text};
use rchef_text::encoding::Encoding;
use rchef_text::number::{Int, float_to_s, parse_int_strict};
use rchef_text::pack::*;
use rchef_text::{digest, distance, escape, normalize};

struct Args<'a>(Vec<&'a [u8]>);
struct Raised(String);
impl From<PackError> for Raised {
    fn from(e: PackError) -> Raised {
        Raised(format!("!{}: {e}", if e.is_range_error() { "RangeError" } else { "ArgumentError" }))
    }
}

impl PackArgs for Args<'_> {
    type Error = Raised;
    fn grow(&mut self, _: usize, _: usize) -> Result<(), Raised> {
        Ok(())
    }
    fn remaining(&self) -> usize {
        self.0.len()
    }
    fn integer(&mut self) -> Result<Int, Raised> {
        parse_int_strict(self.0.remove(0), 10)
            .map_err(|_| Raised("!TypeError: no implicit conversion of String into Integer".into()))
    }
    fn float(&mut self) -> Result<f64, Raised> {
        Ok(f64::from_bits(u64::from_str_radix(text(self.0.remove(0)), 16).unwrap()))
    }
    fn string(&mut self) -> Result<Vec<u8>, Raised> {
        Ok(self.0.remove(0).to_vec())
    }
    fn text(&mut self) -> Result<Vec<u8>, Raised> {
        self.string()
    }
}

fn hexed(b: &[u8], enc: Encoding) -> String {
    format!("{}:{}", enc.name(), b.iter().map(|b| format!("{b:02x}")).collect::<String>())
}

const DICTIONARY: &str = "email eval fail length size each each_with_index select reject map file_name filename user_name username first last @name name template package service include_recipe notifies subscribes not_if only_if";

fn escaped(r: Result<Vec<u8>, escape::EscapeError>) -> Vec<u8> {
    r.unwrap_or_else(|e| format!("!ArgumentError: {e}").into_bytes())
}

#[test]
fn recorded() {
    compare(include_str!("../data/pack.txt"), |op, a| match op {
        "packi" | "packf" | "packs" => match pack(a[0], &mut Args(a[1..].to_vec())) {
            Ok(p) => hexed(&p.bytes, p.enc).into_bytes(),
            Err(Raised(m)) => m.into_bytes(),
        },
        "unpack" => match unpack(a[1], a[0], num(a[2]), UnpackMode::All) {
            Ok(items) => {
                let show = |i: &PackItem| match i {
                    PackItem::Nil => "nil".into(),
                    PackItem::Int(n) => n.to_string(),
                    PackItem::Float(x) => float_to_s(*x),
                    PackItem::Str(b, e) => hexed(b, *e),
                    PackItem::Pointer { number, .. } => format!("&{number}"),
                };
                items.iter().map(show).collect::<Vec<_>>().join(",").into_bytes()
            }
            Err(e) => Raised::from(e).0.into_bytes(),
        },
        "shellescape" => escape::shellescape(a[0]),
        "cgi" => escape::cgi_escape(a[0]),
        "html" => escape::html_escape(a[0]),
        "url" => escape::url_encode(a[0]),
        "www" => escape::www_form_escape(a[0]),
        "uri" => escape::uri_escape(a[0]),
        "uncgi" => escape::cgi_unescape(a[0]),
        "unwww" => escaped(escape::www_form_unescape(a[0])),
        "unuri" => escape::uri_unescape(a[0]),
        "unhtml" => escape::html_unescape(a[0]),
        "shellsplit" => escaped(
            escape::shellsplit(a[0]).map(|w| w.iter().flat_map(|w| [b"<", w.as_slice(), b">"].concat()).collect()),
        ),
        "correct" => {
            let words: Vec<&str> = DICTIONARY.split(' ').collect();
            distance::correct(text(a[0]), &words).iter().map(|&i| words[i]).collect::<Vec<_>>().join(" ").into_bytes()
        }
        "sum" => digest::sum(a[0], num(a[1])).to_string().into_bytes(),
        "normalize" => normalize::normalize(text(a[0]), normalize::Form::find(text(a[1])).unwrap()).into_bytes(),
        other => panic!("{other}"),
    });
}
