//! The quick, deterministic form of the fuzz targets in `fuzz/`: cases of the suite cut up and put together anew are read, lowered and run on a budget.
//! Nothing may panic, and every run ends.

use rchef_host::overlay::{Identity, OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Host, RealHost};
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::on_large_stack;
use std::path::Path;
use std::rc::Rc;

/// splitmix64
struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Lines of the suite's Ruby cases.
fn corpus() -> Vec<Vec<u8>> {
    fn collect(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, out);
            } else if path.extension().is_some_and(|extension| extension == "rb") {
                out.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/ruby"), &mut paths);
    paths.sort();
    let files = paths.iter().map(|path| std::fs::read(path).unwrap());
    files.flat_map(|text| text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()).collect()
}

const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "do ",
    "end ",
    "def x",
    "class A",
    "=> ",
    "->",
    "&.",
    "**",
    "*",
    "&",
    "::",
    "#{",
    "\"",
    "'",
    "/",
    "%w[",
    "<<~A\n",
    "\nA\n",
    "rescue ",
    "ensure ",
    "retry",
    "return ",
    "break ",
    "next ",
    "redo",
    "yield",
    "super",
    "self",
    "nil",
    "1",
    "0x",
    "1e9",
    "2**70",
    "case ",
    "in ",
    "when ",
    "then ",
    "if ",
    "unless ",
    "while ",
    "until ",
    "begin ",
    "alias ",
    "undef ",
    "defined?(",
    "@a",
    "@@a",
    "$a",
    "A::B",
    "...",
    "..",
    "=",
    "||=",
    "\0",
    "\u{e9}",
    "__END__\n",
    "BEGIN{",
    "END{",
    "not ",
    "and ",
    "or ",
    "!",
    "~",
    "-",
    "?a",
    ":a",
    ":\"",
    "_1",
    "it",
    "eval ",
    "Class.new ",
    "raise ",
    ".send(",
    ".map ",
    ".each ",
    ".freeze",
    ".inspect",
    ".dup",
    "loop ",
    "proc ",
    "lambda ",
    "catch(",
    "throw(",
];

/// A program: lines of the corpus, with pieces taken out, doubled, and tokens put in.
fn program(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..1 + rng.below(6) {
        text.extend_from_slice(&corpus[rng.below(corpus.len())]);
        text.push(b'\n');
    }
    for _ in 0..rng.below(6) {
        let at = rng.below(text.len() + 1);
        match rng.below(4) {
            0 => {
                let end = (at + rng.below(12)).min(text.len());
                text.drain(at..end);
            }
            1 => {
                let end = (at + rng.below(30)).min(text.len());
                let piece = text[at..end].to_vec();
                let to = rng.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            _ => drop(text.splice(at..at, TOKENS[rng.below(TOKENS.len())].bytes()).count()),
        }
    }
    text
}

/// Runs on an empty simulated machine, with little of everything.
fn budgeted(source: &[u8]) {
    let machine: Rc<dyn Host> = Rc::new(RealHost::new());
    let now = machine.monotonic_ns();
    let identity = Some(Identity { uid: 0, gid: 0, groups: vec![] });
    let options = OverlayOptions { cwd: Some(b"/".to_vec()), identity, ..OverlayOptions::default() };
    let host = OverlayHost::empty(machine, &skeleton::linux(), options).unwrap();
    let mut vm = Vm::new(Rc::new(host)).unwrap();
    vm.limits.steps = Some(20_000);
    vm.limits.wall_time = Some(now + 3_000_000_000);
    vm.limits.memory = Some(256 << 20);
    vm.limits.size = 16 << 20;
    vm.limits.depth = 400;
    if let Err(error) = vm.run_main(source, "fuzz.rb") {
        let exception = vm.error_value(error);
        let _ = vm.inspect(&exception);
    }
}

#[test]
fn programs_end_without_a_panic() {
    let corpus = corpus();
    assert!(corpus.len() > 1000);
    let count = std::env::var("FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut rng = Rng(seed);
    for number in 0..count {
        let source = program(&mut rng, &corpus);
        // programs that wait for the world outside are not the engine's
        if ["sleep", "gets", "fork", "exit!", "Thread", "Process", "IO.", "spawn", "system", "read"]
            .iter()
            .any(|word| source.windows(word.len()).any(|part| part == word.as_bytes()))
        {
            continue;
        }
        let ended = on_large_stack(64 << 20, || budgeted(&source));
        assert!(ended.is_ok(), "program {number} of seed {seed} panics:\n{}", String::from_utf8_lossy(&source));
    }
}
