//! Runs all rules over a file in one pass.

use crate::ast::{self, KINDS, Kind, N, SyntaxError, Tree};
use crate::file::File;
use crate::glob;
use crate::rule::{Cx, Fix, Hit, On, Rule};
use crate::source::Source;
use crate::suppress::{Suppression, suppressions};
use rustc_hash::FxHashMap;

/// Rules indexed by what they match. Built once, shared between threads.
pub struct Engine {
    rules: Vec<&'static Rule>,
    calls: FxHashMap<&'static str, Vec<u16>>,
    blocks: FxHashMap<&'static str, Vec<u16>>,
    kinds: Vec<Vec<u16>>,
    files: Vec<u16>,
    texts: Vec<u16>,
    /// All globs of the rules, and for each rule the indices of its own.
    globs: Vec<&'static str>,
    includes: Vec<Vec<usize>>,
    excludes: Vec<Vec<usize>>,
}

/// The findings in one file.
#[derive(Debug, Default)]
pub struct Report {
    /// In source order.
    pub hits: Vec<Hit>,
    /// Findings hidden by comments.
    pub suppressed: Vec<Hit>,
    /// Syntax errors; other rules have not run then.
    pub errors: Vec<SyntaxError>,
}

impl Engine {
    #[must_use]
    pub fn new(rules: Vec<&'static Rule>) -> Self {
        let mut engine = Self {
            calls: FxHashMap::default(),
            blocks: FxHashMap::default(),
            kinds: vec![Vec::new(); KINDS],
            files: Vec::new(),
            texts: Vec::new(),
            globs: Vec::new(),
            includes: Vec::new(),
            excludes: Vec::new(),
            rules: Vec::new(),
        };
        for (id, rule) in (0u16..).zip(&rules) {
            for on in rule.on {
                match on {
                    On::File => engine.files.push(id),
                    On::AnyText => engine.texts.push(id),
                    On::Call(names) => names.iter().for_each(|name| engine.calls.entry(name).or_default().push(id)),
                    On::Block(names) => names.iter().for_each(|name| engine.blocks.entry(name).or_default().push(id)),
                    On::Kind(kind) => engine.kinds[*kind as usize].push(id),
                }
            }
            let includes = engine.places(rule.include);
            engine.includes.push(includes);
            let excludes = engine.places(rule.exclude);
            engine.excludes.push(excludes);
        }
        engine.rules = rules;
        engine
    }

    fn places(&mut self, globs: &'static [&'static str]) -> Vec<usize> {
        let mut all = Vec::new();
        for glob in globs {
            all.push(self.globs.iter().position(|known| known == glob).unwrap_or_else(|| {
                self.globs.push(glob);
                self.globs.len() - 1
            }));
        }
        all
    }

    /// The rules; a hit's rule number is an index into them.
    #[must_use]
    pub fn rules(&self) -> &[&'static Rule] {
        &self.rules
    }

    #[must_use]
    pub fn rule(&self, hit: &Hit) -> &'static Rule {
        self.rules[hit.rule as usize]
    }

    /// Which rules apply to a path; `wanted` can veto.
    #[must_use]
    pub fn active(&self, path: &str, wanted: impl Fn(&Rule) -> bool) -> Vec<bool> {
        let matched: Vec<bool> = self.globs.iter().map(|pattern| glob::matches(pattern, path)).collect();
        (0..self.rules.len())
            .map(|id| {
                (self.includes[id].is_empty() || self.includes[id].iter().any(|at| matched[*at]))
                    && !self.excludes[id].iter().any(|at| matched[*at])
                    && wanted(self.rules[id])
            })
            .collect()
    }

    /// Checks a file with the rules that are active for it.
    #[must_use]
    pub fn check(&self, file: &File<'_>, source: &Source, active: &[bool]) -> Report {
        ast::parse(&source.text, |parsed| match parsed {
            Ok(tree) => {
                let mut hits = self.walk(file, tree, active);
                let off = suppressions(tree, source);
                hits.sort_by_key(|hit| hit.span);
                // a rule reports the same message at a place only once
                hits.dedup_by(|next, hit| {
                    next.rule == hit.rule && next.span.start == hit.span.start && next.message == hit.message
                });
                if off.is_empty() {
                    return Report { hits, ..Report::default() };
                }
                let mut used = vec![false; off.len()];
                let (suppressed, mut hits): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(|hit| {
                    let line = source.line(hit.span.start);
                    let mut hidden = false;
                    for (off, used) in off.iter().zip(&mut used) {
                        let holds = off.holds(self.rule(hit), line);
                        hidden |= holds;
                        *used |= holds;
                    }
                    hidden
                });
                hits.extend(self.unused(&off, &used, active));
                hits.sort_by_key(|hit| hit.span);
                Report { hits, suppressed, errors: Vec::new() }
            }
            Err(errors) => {
                let tree = Tree::nothing(&source.text);
                let mut cx = Cx { file, tree: &tree, rule: 0, hits: Vec::new() };
                self.run(&self.texts, &mut cx, tree.root(), active);
                Report { hits: cx.hits, errors, ..Report::default() }
            }
        })
    }

    /// Suppression comments that hide no finding of the rules that they name, although these rules were active.
    fn unused(&self, off: &[Suppression], used: &[bool], active: &[bool]) -> Vec<Hit> {
        let Some(id) = self.rules.iter().position(|rule| rule.alias == crate::rules::UNUSED_SUPPRESSION) else {
            return Vec::new();
        };
        let mut hits = Vec::new();
        for (off, _) in off.iter().zip(used).filter(|(_, used)| !**used && active[id]) {
            let mut named = self.rules.iter().zip(active).filter(|(rule, _)| off.names(rule)).peekable();
            let message = if named.peek().is_none() {
                // names that begin with `compile` are for findings in compiled run lists, which this engine does not make
                if !off.own || off.name == "compile" || off.name.starts_with("compile/") {
                    continue;
                }
                format!("there is no rule {}", off.name)
            } else if off.name != "all" && named.all(|(_, active)| *active) {
                format!("{} finds nothing here", off.name)
            } else {
                continue;
            };
            let rule = u16::try_from(id).unwrap_or_default();
            hits.push(Hit { rule, span: off.span, message: Some(message), edits: Vec::new() });
        }
        hits
    }

    /// The hits in a file, in the order in which they are found; corrections are applied in that order.
    fn walk<'t>(&self, file: &'t File<'t>, tree: &'t Tree<'t>, active: &[bool]) -> Vec<Hit> {
        let mut cx = Cx { file, tree, rule: 0, hits: Vec::new() };
        let root = tree.root();
        self.run(&self.texts, &mut cx, root, active);
        self.run(&self.files, &mut cx, root, active);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let kind = node.kind();
            self.run(&self.kinds[kind as usize], &mut cx, node, active);
            let named = match kind {
                Kind::Send => self.calls.get(node.name()),
                Kind::Block => self.blocks.get(node.name()),
                _ => None,
            };
            if let Some(rules) = named {
                self.run(rules, &mut cx, node, active);
            }
            let from = open.len();
            open.extend(node.kids());
            open[from..].reverse();
        }
        cx.hits
    }

    fn run<'t>(&self, rules: &[u16], cx: &mut Cx<'t>, node: N<'t>, active: &[bool]) {
        for id in rules {
            if active[*id as usize] {
                cx.rule = *id;
                (self.rules[*id as usize].check)(cx, node);
            }
        }
    }

    /// The text after the corrections of the active rules (only the safe ones unless `unsafe_too`), repeated until nothing changes, and the
    /// names of the rules that correct something in the text as it was; `None` if there is no change.
    #[must_use]
    pub fn correct(
        &self,
        file: &File<'_>,
        bytes: &[u8],
        active: &[bool],
        unsafe_too: bool,
    ) -> Option<(String, Vec<&'static str>)> {
        let mut text: Option<String> = None;
        let mut rules = Vec::new();
        for round in 0..200 {
            let source = Source::new(text.as_ref().map_or(bytes, |text| text.as_bytes()))?;
            let report = self.check(file, &source, active);
            let mut hits: Vec<&Hit> = report.hits.iter().collect();
            hits.retain(|hit| unsafe_too || self.rule(hit).fix == Fix::Safe);
            if round == 0 {
                rules = hits.iter().filter(|hit| !hit.edits.is_empty()).map(|hit| self.rule(hit).alias).collect();
                rules.sort_unstable();
                rules.dedup();
            }
            let edits = crate::fix::merge(hits.iter().map(|hit| hit.edits.as_slice()));
            if edits.is_empty() {
                break;
            }
            let next = source.restore(&edits);
            if text.as_ref().map_or(bytes == next.as_bytes(), |text| *text == next) {
                break;
            }
            text = Some(next);
        }
        text.filter(|text| text.as_bytes() != bytes).map(|text| (text, rules))
    }
}
