//! Number parsing and Float's roundings.
use super::{compare, num, text};
use rchef_text::number::*;

fn error(e: &NumberError) -> String {
    let class = if *e == NumberError::ZeroDivision { "ZeroDivisionError" } else { "ArgumentError" };
    format!("!{class}: {e}")
}

fn rational((n, d): (Int, Int)) -> String {
    format!("({n}/{d})")
}

fn part(p: &Part) -> String {
    match p {
        Part::Int(n) => n.to_string(),
        Part::Float(x) => float_to_s(*x),
        Part::Rational(n, d) => format!("({n}/{d})"),
    }
}

fn complex(c: ComplexParts) -> String {
    match c {
        ComplexParts::Rect(a, b) => {
            let (a, b) = (part(&a), part(&b));
            let star = if b.ends_with(')') { "*" } else { "" };
            if let Some(b) = b.strip_prefix('-') { format!("({a}-{b}{star}i)") } else { format!("({a}+{b}{star}i)") }
        }
        ComplexParts::Polar(a, b) => {
            let f = |p: Part| match p {
                Part::Int(n) => n.to_f64(),
                Part::Float(x) => x,
                Part::Rational(n, d) => n.to_f64() / d.to_f64(),
            };
            let (r, t) = (f(a), f(b));
            complex(ComplexParts::Rect(Part::Float(r * t.cos()), Part::Float(r * t.sin())))
        }
    }
}

fn rounded(r: Result<Result<f64, Int>, RoundError>) -> String {
    match r {
        Ok(Ok(x)) => float_to_s(x),
        Ok(Err(n)) => n.to_string(),
        Err(e) => format!("!FloatDomainError: {e}"),
    }
}

#[test]
fn recorded() {
    compare(include_str!("../data/number.txt"), |op, a| {
        let float = || f64::from_bits(u64::from_str_radix(text(a[0]), 16).unwrap());
        let int = |i: usize| parse_int_strict(a[i], 10).unwrap();
        let half = |op: &str| match op.rsplit_once('_') {
            Some((_, "even")) => HalfMode::Even,
            Some((_, "down")) => HalfMode::Down,
            _ => HalfMode::Up,
        };
        let show = |r: Result<String, NumberError>| r.unwrap_or_else(|e| error(&e));
        match op {
            "to_s" => float_to_s(float()),
            "round" | "round_even" | "round_down" => rounded(float_round(float(), num(a[1]), half(op))),
            "floor" => rounded(float_floor(float(), num(a[1]))),
            "ceil" => rounded(float_ceil(float(), num(a[1]))),
            "int_round" | "int_round_even" | "int_round_down" => int_round(&int(0), num(a[1]), half(op)).to_string(),
            "int_floor" => int_floor(&int(0), num(a[1])).to_string(),
            "int_ceil" => int_ceil(&int(0), num(a[1])).to_string(),
            "int_truncate" => int_truncate(&int(0), num(a[1])).to_string(),
            "int_to_s" => match int(0) {
                Int::Small(n) => int_to_s(n, num(a[1])),
                Int::Big(n) => big_to_s(&n, num(a[1])),
            },
            "to_i" => show(parse_int(a[0], num(a[1])).map(|n| n.to_string())),
            "Integer" => show(parse_int_strict(a[0], num(a[1])).map(|n| n.to_string())),
            "to_f" => float_to_s(parse_float(a[0])),
            "Float" => show(parse_float_strict(a[0]).map(float_to_s)),
            "to_r" => show(parse_rational(a[0]).map(rational)),
            "Rational" => show(parse_rational_strict(a[0]).map(rational)),
            "to_c" => show(parse_complex(a[0]).map(complex)),
            "Complex" => show(parse_complex_strict(a[0]).map(complex)),
            "rational_to_f" => float_to_s(rational_to_f64(&int(0).to_big(), &int(1).to_big())),
            other => panic!("{other}"),
        }
        .into_bytes()
    });
}
