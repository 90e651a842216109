//! Random bytes never make a function panic.
use rchef_text::encoding::{self, Encoding, Options};
use rchef_text::*;

struct Noise(u64);
impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn bytes(&mut self, from: &[u8]) -> Vec<u8> {
        let n = self.next() % 12;
        (0..n)
            .map(|_| {
                let r = self.next();
                if r.is_multiple_of(4) { (r >> 8) as u8 } else { from[(r >> 8) as usize % from.len()] }
            })
            .collect()
    }
}

#[test]
fn no_panic() {
    let mut noise = Noise(0x1234_5678_9ABC_DEF1);
    for _ in 0..20_000 {
        let text = noise.bytes(b"09az-+._eE/@ix\"\\ \n%{}[]*?'&#;:\xe3\x81\x82\xd8\xdc\x00");
        let other = noise.bytes(b"a-z^\\*[]{},!?.%dsxYmdHzjLNAaBbHhUwumM*<>!_0123456789 ");
        let enc = encoding::ALL[noise.next() as usize % encoding::ALL.len()];
        let to = encoding::ALL[noise.next() as usize % encoding::ALL.len()];
        let range = encoding::scan(&text, enc);
        for i in 0..text.len() + 2 {
            encoding::byte_index(&text, enc, range, i);
            encoding::char_index(&text, enc, range, i);
            encoding::is_char_start(&text, enc, range, i);
            encoding::last_char_start(&text, enc, range, i);
            let _ = encoding::codepoint_at(&text, i, enc);
        }
        assert_eq!(encoding::chars(&text, enc).map(|r| r.len()).sum::<usize>(), text.len());
        encoding::scrub(&text, enc, None);
        let _ = encoding::encode_codepoint(noise.next(), enc, &mut Vec::new());
        let _ = encoding::transcode(&text, enc, to, &mut Options::default());
        let _ = encoding::transcode(
            &text,
            enc,
            to,
            &mut Options { invalid_replace: true, undef_replace: true, ..Options::default() },
        );
        inspect::inspect(&text, enc);
        inspect::inspect_symbol(&text, enc);
        let dumped = inspect::dump(&text, Encoding::Binary);
        assert_eq!(inspect::undump(&dumped, Encoding::Binary).unwrap().0, text);
        let _ = inspect::undump(&text, Encoding::Utf8);
        let _ = number::parse_int(&text, 0);
        number::parse_float(&text);
        let _ = number::parse_float_strict(&text);
        let _ = number::parse_rational(&text);
        let _ = number::parse_complex(&text);
        let x = f64::from_bits(noise.next());
        assert!(x.is_nan() || number::float_to_s(x).parse::<f64>().is_ok_and(|y| y == x) || x.is_infinite());
        let digits = noise.next() as i64 % 400;
        let _ = number::float_round(x, digits, number::HalfMode::Even);
        let _ = number::float_floor(x, digits);
        let _ = number::float_ceil(x, digits);
        let _ = tr::tr(&text, enc, &other, &text, true);
        succ::succ(&text, enc);
        for map in [case::CaseMap::Up, case::CaseMap::Down, case::CaseMap::Capitalize, case::CaseMap::Swap] {
            case::convert(&text, enc, map, case::CaseOption::Full);
        }
        for flags in [0, 2, 4, 8, 16, 30] {
            fnmatch::fnmatch(&other, &text, flags);
        }
        base64::decode(&text);
        base64::strict_decode(&text);
        base64::urlsafe_decode(&text);
        let _ = pack::unpack(&text, &other, 0, pack::UnpackMode::All);
        let t = strftime::TimeParts::at((noise.next() as i64 >> 20).into(), 5, digits as i32, None, false);
        let _ = strftime::strftime(&[b"%", other.as_slice()].concat(), &t);
        let _ = strptime::strptime(&text, &[b"%", other.as_slice()].concat());
        let lossy = String::from_utf8_lossy(&text);
        strptime::zone_offset(&lossy);
        distance::correct(&lossy, &["name", "text", &lossy]);
        escape::shellescape(&text);
        let _ = escape::shellsplit(&text);
        escape::html_unescape(&text);
        let _ = escape::www_form_unescape(&text);
        digest::hash64(&text);
    }
}
