//! Compares this crate with cases recorded from MRI (tests/record makes tests/data).
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod encoding;
mod noise;
mod number;
mod pack;
mod sprintf;
#[path = "text.rs"]
mod text_cases;
#[path = "time.rs"]
mod time_cases;

/// The fields of each line, with %XX read back.
pub fn cases(data: &str) -> impl Iterator<Item = Vec<Vec<u8>>> + '_ {
    data.lines().map(|line| line.split('\t').map(unescape).collect())
}

fn unescape(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = field.bytes();
    while let Some(b) = bytes.next() {
        if b == b'%' {
            let hex = [bytes.next().unwrap(), bytes.next().unwrap()];
            out.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
        } else {
            out.push(b);
        }
    }
    out
}

/// Runs every case through `run`, which gives what MRI gave; fails with the first differences.
pub fn compare(data: &str, mut run: impl FnMut(&str, &[&[u8]]) -> Vec<u8>) {
    let (mut bad, mut total) = (0, 0);
    let mut groups = std::collections::BTreeMap::new();
    let mut shown = String::new();
    for fields in cases(data) {
        let (op, rest) = fields.split_first().unwrap();
        let (want, args) = rest.split_last().unwrap();
        let args: Vec<&[u8]> = args.iter().map(Vec::as_slice).collect();
        let op = std::str::from_utf8(op).unwrap();
        let got = run(op, &args);
        total += 1;
        if got != *want {
            bad += 1;
            let group = [
                op.as_bytes(),
                args.first().copied().unwrap_or_default(),
                args.get(1).filter(|_| op == "encode").copied().unwrap_or_default(),
            ]
            .concat();
            let seen = groups.entry(group).or_insert(0);
            *seen += 1;
            if *seen <= 3 && bad <= 400 {
                let show = |b: &[u8]| format!("{}", b.escape_ascii());
                let args: Vec<String> = args.iter().map(|a| show(a)).collect();
                shown += &format!("{op}({})\n   want {}\n   got  {}\n", args.join(", "), show(want), show(&got));
            }
        }
    }
    assert!(total > 0, "no cases");
    assert!(bad == 0, "{bad} of {total} differ\n{shown}");
}

/// Text of an argument.
pub fn text(arg: &[u8]) -> &str {
    std::str::from_utf8(arg).unwrap()
}

/// A number in an argument.
pub fn num<T: std::str::FromStr>(arg: &[u8]) -> T {
    text(arg).parse().ok().unwrap()
}
