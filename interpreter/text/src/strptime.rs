//! `Date._strptime`: parses text by a format.
use crate::strftime::{DAYS, MONTHS};

/// The elements found, under the keys of `Date._strptime`'s Hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    pub year: Option<i64>,
    pub mon: Option<i64>,
    pub mday: Option<i64>,
    pub hour: Option<i64>,
    pub min: Option<i64>,
    pub sec: Option<i64>,
    /// `:sec_fraction`: the digits after the point and their number (the value is digits / 10**places).
    pub sec_fraction: Option<(i64, u32)>,
    /// `:wday`, 0 is Sunday.
    pub wday: Option<i64>,
    /// `:cwday`, 1 is Monday.
    pub cwday: Option<i64>,
    pub yday: Option<i64>,
    pub cwyear: Option<i64>,
    pub cweek: Option<i64>,
    /// `:wnum0`: week of the year, weeks beginning on Sunday.
    pub wnum0: Option<i64>,
    /// `:wnum1`: week of the year, weeks beginning on Monday.
    pub wnum1: Option<i64>,
    /// `:seconds`: seconds with 0 places (`%s`), or milliseconds with 3 (`%Q`).
    pub seconds: Option<(i64, u32)>,
    pub zone: Option<String>,
    /// `:offset`, seconds east of UTC; None if the zone is unknown.
    pub offset: Option<i64>,
    /// `:leftover`: where the text begins that no directive matched.
    pub leftover: Option<usize>,
    cent: Option<i64>,
    meridian: Option<i64>,
}

struct Scan<'a> {
    s: &'a [u8],
    pos: usize,
    f: Fields,
}

/// Parses `text` by `format`; None if it does not match.
pub fn strptime(text: &[u8], format: &[u8]) -> Option<Fields> {
    let mut scan = Scan { s: text, pos: 0, f: Fields::default() };
    scan.run(format)?;
    let mut f = scan.f;
    if scan.pos < text.len() {
        f.leftover = Some(scan.pos);
    }
    if let Some(c) = f.cent {
        f.year = f.year.map(|y| y.saturating_add(c.saturating_mul(100)));
        f.cwyear = f.cwyear.map(|y| y.saturating_add(c.saturating_mul(100)));
    }
    if let Some(m) = f.meridian {
        f.hour = f.hour.map(|h| h % 12 + m);
    }
    Some(f)
}

/// Whether the next element of the format may match digits, so that this number must stop at its width.
fn number_follows(f: &[u8]) -> bool {
    match f {
        [c, ..] if c.is_ascii_digit() => true,
        [b'%', c, ..] => {
            let c = if matches!(c, b'E' | b'O') { f.get(2) } else { Some(c) };
            c.is_some_and(|c| c.is_ascii_digit() || b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(c))
        }
        _ => false,
    }
}

impl Scan<'_> {
    fn rest(&self) -> &[u8] {
        &self.s[self.pos.min(self.s.len())..]
    }

    fn digits(&mut self, max: usize) -> Option<(i64, u32)> {
        let n = self.rest().iter().take(max.min(18)).take_while(|b| b.is_ascii_digit()).count();
        if n == 0 {
            return None;
        }
        let v = self.rest()[..n].iter().fold(0i64, |v, d| v * 10 + i64::from(d - b'0'));
        self.pos += n;
        Some((v, n as u32))
    }

    fn ranged(&mut self, max: usize, low: i64, high: i64) -> Option<i64> {
        self.digits(max).map(|d| d.0).filter(|v| (low..=high).contains(v))
    }

    fn blank_ranged(&mut self, low: i64, high: i64) -> Option<i64> {
        if self.rest().first() == Some(&b' ') {
            self.pos += 1;
            return self.ranged(1, low, high);
        }
        self.ranged(2, low, high)
    }

    fn sign(&mut self) -> i64 {
        match self.rest().first() {
            Some(b'-') => {
                self.pos += 1;
                -1
            }
            Some(b'+') => {
                self.pos += 1;
                1
            }
            _ => 1,
        }
    }

    fn signed(&mut self, max: usize) -> Option<i64> {
        let sign = self.sign();
        Some(sign * self.digits(max)?.0)
    }

    fn name(&mut self, names: &[&str]) -> Option<i64> {
        for (i, n) in names.iter().enumerate() {
            for n in [*n, &n[..3]] {
                if self.rest().len() >= n.len() && self.rest()[..n.len()].eq_ignore_ascii_case(n.as_bytes()) {
                    self.pos += n.len();
                    return Some(i as i64);
                }
            }
        }
        None
    }

    fn run(&mut self, format: &[u8]) -> Option<()> {
        let mut i = 0;
        while i < format.len() {
            let c = format[i];
            i += 1;
            if matches!(c, b' ' | b'\t'..=b'\r') {
                let n = self.rest().iter().take_while(|b| matches!(b, b' ' | b'\t'..=b'\r')).count();
                self.pos += n;
                continue;
            }
            let literal = |scan: &mut Self, c: u8| {
                let ok = scan.rest().first() == Some(&c);
                scan.pos += 1;
                ok.then_some(())
            };
            if c != b'%' || i >= format.len() {
                literal(self, c)?;
                continue;
            }
            let mut d = format[i];
            let mark = i;
            i += 1;
            if d == b'E' && format.get(i).is_some_and(|c| b"cCxXyY".contains(c))
                || d == b'O' && format.get(i).is_some_and(|c| b"deHImMSuUVwWy".contains(c))
            {
                d = format[i];
                i += 1;
            }
            if d == b':' {
                let n = format[mark..].iter().take_while(|c| **c == b':').count();
                if n <= 3 && format.get(mark + n) == Some(&b'z') {
                    d = b'z';
                    i = mark + n + 1;
                }
            }
            match self.directive(d, &format[i..])? {
                true => {}
                false => {
                    literal(self, b'%')?;
                    i = mark;
                }
            }
        }
        Some(())
    }

    fn directive(&mut self, d: u8, next: &[u8]) -> Option<bool> {
        match d {
            b'A' | b'a' => self.f.wday = Some(self.name(&DAYS)?),
            b'B' | b'b' | b'h' => self.f.mon = Some(self.name(&MONTHS)? + 1),
            b'C' => self.f.cent = Some(self.signed(if number_follows(next) { 2 } else { 18 })?),
            b'c' => self.run(b"%a %b %e %H:%M:%S %Y")?,
            b'D' | b'x' => self.run(b"%m/%d/%y")?,
            b'd' | b'e' => self.f.mday = Some(self.blank_ranged(1, 31)?),
            b'F' => self.run(b"%Y-%m-%d")?,
            b'G' => self.f.cwyear = Some(self.signed(if number_follows(next) { 4 } else { 18 })?),
            b'g' => {
                let y = self.ranged(2, 0, 99)?;
                self.f.cwyear = Some(y);
                self.f.cent.get_or_insert(if y >= 69 { 19 } else { 20 });
            }
            b'H' | b'k' => self.f.hour = Some(self.blank_ranged(0, 24)?),
            b'I' | b'l' => self.f.hour = Some(self.blank_ranged(1, 12)?),
            b'j' => self.f.yday = Some(self.ranged(3, 1, 366)?),
            b'L' | b'N' => {
                let sign = self.sign();
                let width = match (number_follows(next), d) {
                    (false, _) => 18,
                    (true, b'L') => 3,
                    _ => 9,
                };
                let (v, n) = self.digits(width)?;
                self.f.sec_fraction = Some((sign * v, n));
            }
            b'M' => self.f.min = Some(self.ranged(2, 0, 59)?),
            b'm' => self.f.mon = Some(self.ranged(2, 1, 12)?),
            b'n' | b't' => self.run(b" ")?,
            b'P' | b'p' => {
                let r = self.rest();
                let (h, n) = match r {
                    [a, b'.', m, b'.', ..] if m.eq_ignore_ascii_case(&b'm') => (*a, 4),
                    [a, m, ..] if m.eq_ignore_ascii_case(&b'm') => (*a, 2),
                    _ => return None,
                };
                self.f.meridian = Some(match h.to_ascii_lowercase() {
                    b'a' => 0,
                    b'p' => 12,
                    _ => return None,
                });
                self.pos += n;
            }
            b'Q' => {
                let sign = self.sign();
                self.f.seconds = Some((sign * self.digits(18)?.0, 3));
            }
            b'R' => self.run(b"%H:%M")?,
            b'r' => self.run(b"%I:%M:%S %p")?,
            b'S' => self.f.sec = Some(self.ranged(2, 0, 60)?),
            b's' => {
                let sign = self.sign();
                self.f.seconds = Some((sign * self.digits(18)?.0, 0));
            }
            b'T' | b'X' => self.run(b"%H:%M:%S")?,
            b'U' => self.f.wnum0 = Some(self.ranged(2, 0, 53)?),
            b'W' => self.f.wnum1 = Some(self.ranged(2, 0, 53)?),
            b'u' => self.f.cwday = Some(self.ranged(1, 1, 7)?),
            b'V' => self.f.cweek = Some(self.ranged(2, 1, 53)?),
            b'v' => self.run(b"%e-%b-%Y")?,
            b'w' => self.f.wday = Some(self.ranged(1, 0, 6)?),
            b'Y' => self.f.year = Some(self.signed(if number_follows(next) { 4 } else { 18 })?),
            b'y' => {
                let y = self.ranged(2, 0, 99)?;
                self.f.year = Some(y);
                self.f.cent.get_or_insert(if y >= 69 { 19 } else { 20 });
            }
            b'Z' | b'z' => {
                let n = zone_len(self.rest());
                if n == 0 {
                    return None;
                }
                let zone = String::from_utf8_lossy(&self.rest()[..n]).into_owned();
                self.f.offset = zone_offset(&zone);
                self.f.zone = Some(zone);
                self.pos += n;
            }
            b'%' => {
                let ok = self.rest().first() == Some(&b'%');
                self.pos += 1;
                return ok.then_some(true);
            }
            b'+' => self.run(b"%a %b %e %H:%M:%S %Z %Y")?,
            _ => return Some(false),
        }
        Some(true)
    }
}

fn clock_len(s: &[u8]) -> usize {
    let digits = |s: &[u8]| s.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut n = digits(s);
    if n == 0 {
        return 0;
    }
    for _ in 0..2 {
        if s.get(n) == Some(&b':') {
            match digits(&s[n + 1..]) {
                0 => break,
                k => n += 1 + k,
            }
        }
    }
    if matches!(s.get(n), Some(b'.' | b',')) {
        let k = digits(&s[n + 1..]);
        n += if k > 0 { k + 1 } else { 0 };
    }
    n
}

/// The length of the zone at the start of the text, by the pattern of date_strptime.c.
fn zone_len(s: &[u8]) -> usize {
    let ci = |s: &[u8], w: &[u8]| s.len() >= w.len() && s[..w.len()].eq_ignore_ascii_case(w);
    let prefix = if ci(s, b"gmt") || ci(s, b"utc") { 3 } else { 0 };
    if matches!(s.get(prefix), Some(b'+' | b'-')) {
        let n = clock_len(&s[prefix + 1..]);
        if n > 0 {
            return prefix + 1 + n;
        }
    }
    let named = |b: &u8| b.is_ascii_alphabetic() || *b == b'.' || b.is_ascii_whitespace();
    let run = s.iter().take_while(|b| named(b)).count();
    // "Eastern Standard Time", "E. Australia Daylight Time"
    for at in (1..=run).rev() {
        if ci(&s[at..], b"standard") || ci(&s[at..], b"daylight") {
            let after = at + 8;
            let spaces = s[after..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let end = after + spaces + 4;
            if spaces > 0 && ci(&s[after + spaces..], b"time") && !s.get(end).is_some_and(u8::is_ascii_alphanumeric) {
                return end;
            }
        }
    }
    let n = s.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if n > 0 && ci(&s[n..], b" dst") { n + 4 } else { n }
}

/// Seconds east of UTC and the names of the zones there: abbreviations, the military letters, Windows' names without `standard time`.
const ZONES: &[(i64, &str)] = &[
    (-43_200, "dateline|idlw|y"),
    (-39_600, "nt|nut|samoa|sst|x"),
    (-36_000, "ahst|ckt|hast|hawaiian|hst|taht|w"),
    (-32_400, "akst|alaskan|gamt|hadt|hdt|v|yst"),
    (-30_600, "mart"),
    (-28_800, "akdt|pacific|pst|u|ydt"),
    (-25_200, "mountain|mst|pdt|t|us mountain"),
    (-21_600, "canada central|central|central america|cst|east|galt|mdt|mexico|s"),
    (-18_000, "act|cdt|cist|cot|easst|eastern|ect|est|pet|r|sa pacific|us eastern"),
    (-14_400, "ast|atlantic|bot|cidst|clt|edt|fkt|gyt|pacific sa|q|sa western|vet"),
    (-12_600, "newfoundland"),
    (-10_800, "adt|art|brt|clst|e. south america|fkst|gft|greenland|p|pmst|pyst|rott|sa eastern|srt|uyt|warst|wgt"),
    (-9000, "nst"),
    (-7200, "at|brst|fnt|o|pmdt|uyst|wgst"),
    (-5400, "ndt"),
    (-3600, "azores|azot|cape verde|cvt|egt|n"),
    (0, "azost|egst|gmt|greenwich|ut|utc|wet|wt|z"),
    (
        3600,
        "a|bst|central europe|central european|cet|fwt|met|mewt|mez|romance|swt|w. central africa|w. europe|wat|west",
    ),
    (7200, "b|cat|cest|e. europe|eet|egypt|fle|fst|gtb|jerusalem|mest|mesz|sast|south africa|wast"),
    (10_800, "arab|arabic|bt|c|e. africa|eat|eest|fet|idt|msk|russian|syot"),
    (12_600, "iran|irst"),
    (14_400, "arabian|azt|caucasus|d|get|kuyt|msd|mut|ret|samt|sct"),
    (16_200, "afghanistan|aft|irdt"),
    (18_000, "aqtt|azst|e|ekaterinburg|mawt|mvt|orat|pkt|tft|tjt|tmt|uzt|west asia|yekt"),
    (19_800, "india|ist"),
    (20_700, "nepal|npt"),
    (21_600, "almt|btt|central asia|f|iot|kgt|n. central asia|omst|qyzt|sri lanka|vost|yekst"),
    (23_400, "cct|mmt|myanmar"),
    (25_200, "cxt|davt|g|hovt|ict|krat|north asia|novst|novt|omsst|se asia|wib"),
    (
        28_800,
        "awst|bnt|cast|china|chot|h|hkt|hovst|irkt|krast|malay peninsula|myt|north asia east|pht|sgt|taipei|ulat|w. australia|wadt|wita",
    ),
    (31_500, "acwst"),
    (32_400, "awdt|chost|i|irkst|jst|korea|kst|pwt|tlt|tokyo|ulast|wit|yakt|yakutsk"),
    (34_200, "acst|aus central|cen. australia"),
    (
        36_000,
        "aest|aus eastern|chst|chut|ddut|e. australia|gst|k|pgt|tasmania|vladivostok|vlat|west pacific|yakst|yapt",
    ),
    (37_800, "acdt|lhst"),
    (39_600, "aedt|central pacific|eadt|kost|l|lhdt|magt|nct|nft|pont|sakt|sbt|sret|vlast|vut"),
    (43_200, "anast|anat|fiji|fjt|gilt|idle|m|magst|mht|new zealand|nfdt|nrt|nzst|nzt|petst|pett|tvt|wakt|wft"),
    (45_900, "chast"),
    (46_800, "fjst|nzdt|phot|tkt|tonga|tot"),
    (49_500, "chadt"),
    (50_400, "lint|tost"),
];

/// A zone's seconds east of UTC: abbreviations, `+09:00`, `UTC-3`, `+0530`, `+9.5`. None if it is unknown.
pub fn zone_offset(zone: &str) -> Option<i64> {
    let lower = zone.split_ascii_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let (name, dst) = match lower.strip_suffix(" standard time") {
        Some(n) => (n, false),
        None => match lower.strip_suffix(" daylight time").or_else(|| lower.strip_suffix(" dst")) {
            Some(n) => (n, true),
            None => (lower.as_str(), false),
        },
    };
    if let Some((offset, _)) = ZONES.iter().find(|(_, names)| names.split('|').any(|known| known == name)) {
        return Some(offset + i64::from(dst) * 3600);
    }
    let body = name.strip_prefix("gmt").or_else(|| name.strip_prefix("utc")).unwrap_or(name);
    let (sign, body) = match body.strip_prefix('-') {
        Some(b) => (-1, b),
        None => (1, body.strip_prefix('+')?),
    };
    // More than nine digits are no zone, and might overflow.
    let n = |s: &str| s.parse::<i64>().ok().filter(|_| s.len() <= 9);
    let secs = if body.contains(':') {
        let mut it = body.split(':');
        let h = n(it.next()?)?;
        let m = it.next().map_or(Some(0), n)?;
        let s = it.next().map_or(Some(0), n)?;
        h * 3600 + m * 60 + s
    } else if let Some((h, fraction)) = body.split_once(['.', ',']) {
        let places = fraction.len().min(9);
        let part = fraction.get(..places)?.parse::<i64>().ok()?;
        n(h)? * 3600 + part * 3600 / 10i64.pow(places as u32)
    } else {
        let digits = body.len();
        if digits == 0 || !body.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        // h, hh, hmm, hhmm, hmmss, hhmmss
        let head = if digits % 2 == 1 { 1 } else { 2 };
        let part = |from: usize| body.get(from..from + 2).map_or(Some(0), n);
        n(&body[..head])? * 3600 + part(head)? * 60 + part(head + 2)?
    };
    Some(sign * secs)
}
