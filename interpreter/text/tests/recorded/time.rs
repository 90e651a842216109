//! strftime and strptime.
use super::{compare, num, text};
use rchef_text::strftime::*;
use rchef_text::strptime::*;

fn show(f: Option<Fields>, s: &[u8]) -> String {
    let Some(f) = f else { return "nil".into() };
    let mut out = Vec::new();
    let mut put = |name: &str, v: Option<i64>| out.extend(v.map(|v| format!("{name}={v}")));
    put("cwday", f.cwday);
    put("cweek", f.cweek);
    put("cwyear", f.cwyear);
    put("hour", f.hour);
    if let Some(at) = f.leftover {
        out.push(format!(
            "leftover={}",
            String::from_utf8(rchef_text::inspect::inspect(&s[at..], Default::default())).unwrap()
        ));
    }
    let mut put = |name: &str, v: Option<i64>| out.extend(v.map(|v| format!("{name}={v}")));
    put("mday", f.mday);
    put("min", f.min);
    put("mon", f.mon);
    match (&f.zone, f.offset) {
        (Some(_), None) => out.push("offset=nil".into()),
        (_, o) => out.extend(o.map(|v| format!("offset={v}"))),
    }
    let rational = |(v, n): (i64, u32)| rchef_text::number::float_to_s(v as f64 / 10f64.powi(n as i32));
    out.extend(f.sec.map(|v| format!("sec={v}")));
    out.extend(f.sec_fraction.map(|v| format!("sec_fraction={}", rational(v))));
    out.extend(
        f.seconds.map(|(v, n)| if n == 0 { format!("seconds={v}") } else { format!("seconds={}", rational((v, n))) }),
    );
    out.extend(f.wday.map(|v| format!("wday={v}")));
    out.extend(f.wnum0.map(|v| format!("wnum0={v}")));
    out.extend(f.wnum1.map(|v| format!("wnum1={v}")));
    out.extend(f.yday.map(|v| format!("yday={v}")));
    out.extend(f.year.map(|v| format!("year={v}")));
    out.extend(f.zone.map(|z| format!("zone={z:?}")));
    out.join(" ")
}

#[test]
fn recorded() {
    compare(include_str!("../data/time.txt"), |op, a| match op {
        "strftime" => {
            let t = TimeParts::at(num(a[0]), num(a[1]), num(a[2]), None, text(a[3]) == "true");
            strftime(a[4], &t).unwrap_or_else(|e| format!("!ArgumentError: {e}").into_bytes())
        }
        "strptime" => show(strptime(a[0], a[1]), a[0]).into_bytes(),
        other => panic!("{other}"),
    });
}
