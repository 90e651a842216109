//! Kernel#format.
use super::{compare, num, text};
use rchef_text::encoding::Encoding;
use rchef_text::number::{Int, parse_int_strict};
use rchef_text::sprintf::*;

enum V {
    Int(Int),
    Float(f64),
    Rational(Int, Int),
    Str(Vec<u8>),
    Hash,
}

struct Args(Vec<V>);

struct Raised(String);
impl From<FormatError> for Raised {
    fn from(e: FormatError) -> Raised {
        Raised(format!("!ArgumentError: {e}"))
    }
}

fn show(v: &V) -> Vec<u8> {
    match v {
        V::Int(n) => n.to_string().into_bytes(),
        V::Str(s) => s.clone(),
        V::Hash => b"{:a=>1, :b=>\"two\", :\"c d\"=>3}".to_vec(),
        _ => unreachable!(),
    }
}

impl FormatArgs for Args {
    type Value = V;
    type Error = Raised;
    fn grow(&mut self, _: usize, _: usize) -> Result<(), Raised> {
        Ok(())
    }
    fn tick(&mut self) -> Result<(), Raised> {
        Ok(())
    }
    fn digits(&mut self, number: &num_bigint::BigInt, radix: u32) -> Result<String, Raised> {
        Ok(number.to_str_radix(radix))
    }
    fn count(&self) -> usize {
        self.0.len()
    }
    fn positional(&mut self, index: usize) -> V {
        match &self.0[index] {
            V::Int(n) => V::Int(n.clone()),
            V::Float(x) => V::Float(*x),
            V::Rational(a, b) => V::Rational(a.clone(), b.clone()),
            V::Str(s) => V::Str(s.clone()),
            V::Hash => V::Hash,
        }
    }
    fn named(&mut self, name: &[u8], shown: &[u8]) -> Result<V, Raised> {
        if !matches!(self.0[..], [V::Hash]) {
            return Err(FormatError::OneHash.into());
        }
        match name {
            b"a" => Ok(V::Int(Int::Small(1))),
            b"b" => Ok(V::Str(b"two".to_vec())),
            b"c d" => Ok(V::Int(Int::Small(3))),
            _ => Err(Raised(format!("!KeyError: key{} not found", text(shown)))),
        }
    }
    fn integer(&mut self, v: &V) -> Result<Int, Raised> {
        match v {
            V::Int(n) => Ok(n.clone()),
            V::Str(s) => parse_int_strict(s, 0).map_err(|e| Raised(format!("!ArgumentError: {e}"))),
            V::Hash => Err(Raised("!TypeError: can't convert Hash into Integer".into())),
            _ => unreachable!(),
        }
    }
    fn implicit_integer(&mut self, v: &V) -> Result<Int, Raised> {
        let class = match v {
            V::Int(n) => return Ok(n.clone()),
            V::Str(_) => "String",
            _ => "Hash",
        };
        Err(Raised(format!("!TypeError: no implicit conversion of {class} into Integer")))
    }
    fn number(&mut self, v: &V) -> Result<Number, Raised> {
        match v {
            V::Int(n) => Ok(Number::Int(n.clone())),
            V::Float(x) => Ok(Number::Float(*x)),
            V::Rational(a, b) => Ok(Number::Rational(a.to_big(), b.to_big())),
            V::Str(s) => match rchef_text::number::parse_float_strict(s) {
                Ok(x) => Ok(Number::Float(x)),
                Err(e) => Err(Raised(format!("!ArgumentError: {e}"))),
            },
            V::Hash => Err(Raised("!TypeError: can't convert Hash into Float".into())),
        }
    }
    fn character(&mut self, v: &V) -> Result<Character, Raised> {
        match v {
            V::Int(Int::Small(n)) => Ok(Character::Code(*n)),
            V::Str(s) => Ok(Character::Text(s.clone(), Encoding::Utf8)),
            _ => Err(Raised("!TypeError: no implicit conversion of Hash into Integer".into())),
        }
    }
    fn string(&mut self, v: &V) -> Result<(Vec<u8>, Encoding), Raised> {
        Ok((show(v), Encoding::Utf8))
    }
    fn inspect(&mut self, v: &V) -> Result<(Vec<u8>, Encoding), Raised> {
        let s = show(v);
        Ok((if matches!(v, V::Str(_)) { rchef_text::inspect::inspect(&s, Encoding::Utf8) } else { s }, Encoding::Utf8))
    }
}

#[test]
fn recorded() {
    compare(include_str!("../data/sprintf.txt"), |op, a| {
        let int = |i: usize| parse_int_strict(a[i], 10).unwrap();
        let args = match op {
            "int" | "intf" => vec![V::Int(int(1))],
            "float" => vec![V::Float(f64::from_bits(u64::from_str_radix(text(a[1]), 16).unwrap()))],
            "rat" => vec![V::Rational(int(1), int(2))],
            "str" => vec![V::Str(a[1].to_vec())],
            _ => match text(a[1]) {
                "none" => vec![],
                "ints" => vec![V::Int(Int::Small(7)), V::Int(Int::Small(num(b"3")))],
                "neg" => vec![V::Int(Int::Small(-7)), V::Int(Int::Small(3))],
                "strs" => vec![V::Str(b"x".to_vec()), V::Str(b"y".to_vec())],
                _ => vec![V::Hash],
            },
        };
        match format(a[0], Encoding::Utf8, &mut Args(args)) {
            Ok(f) => f.bytes,
            Err(Raised(m)) => m.into_bytes(),
        }
    });
}
