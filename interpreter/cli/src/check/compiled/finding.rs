//! A finding of one unit, and the verdict that its findings give.

use crate::check::options::Weight;
use rchef_model::code::Code;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Code,
    /// How much it counts.
    pub weight: Weight,
    /// `cookbook/file:line`; empty if unknown.
    pub source: String,
    pub message: String,
    /// What to do about just this, where more is known than the rule says.
    pub todo: Option<String>,
    /// The assumption that this finding is, or depends on.
    pub assumed: Option<String>,
    /// What was asked, where an answer can be given.
    pub asked: Option<Asked>,
    /// Keys of resources that failed only because of this finding; they are not reported as findings.
    pub cascades: Vec<String>,
    /// The name in the code that this is about, such as that of a method, constant or cookbook.
    pub subject: Option<String>,
    /// The names of what is not there: cookbooks, roles, a recipe with its cookbook.
    pub missing: Vec<String>,
}

/// A question that nobody answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// As a file of stubs has it: `command`, `search`, `file` ...
    pub kind: String,
    pub subject: String,
    /// The line that asks.
    pub source: String,
}

impl Finding {
    /// An error.
    pub fn error(rule: Code, source: String, message: String) -> Self {
        let (weight, todo, assumed, asked, subject) = (Weight::Error, None, None, None, None);
        let (cascades, missing) = (Vec::new(), Vec::new());
        Self { rule, weight, source, message, todo, assumed, asked, cascades, subject, missing }
    }

    /// Adds a consequence, which is told below it.
    pub fn hang(&mut self, other: &Self) {
        let told = format!("{} ({})", other.message, other.source);
        if !self.cascades.contains(&told) {
            self.cascades.push(told);
        }
    }

    /// The form in which a forked process passes it to the parent.
    pub fn to_json(&self) -> Json {
        let weight = match self.weight {
            Weight::Error => 0,
            Weight::Warning => 1,
            Weight::Assumption => 2,
        };
        let asked = self.asked.as_ref().map(|asked| [&asked.kind, &asked.subject, &asked.source]);
        let (assumed, cascades, todo) = (&self.assumed, &self.cascades, &self.todo);
        let (rule, subject, missing) = (self.rule.as_str(), &self.subject, &self.missing);
        json!([rule, weight, self.source, self.message, assumed, asked, cascades, todo, subject, missing])
    }

    /// Reads the form of [`Finding::to_json`].
    pub fn from_json(value: &Json) -> Option<Self> {
        let text = |at: usize| value[at].as_str().map(str::to_string);
        let texts = |at: usize| {
            value[at].as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_string).collect()
        };
        let asked = |at: usize| value[5][at].as_str().map(str::to_string);
        Some(Self {
            rule: Code::parse(value[0].as_str()?)?,
            weight: match value[1].as_u64()? {
                0 => Weight::Error,
                1 => Weight::Warning,
                _ => Weight::Assumption,
            },
            source: text(2)?,
            message: text(3)?,
            todo: text(7),
            assumed: text(4),
            asked: asked(0).zip(asked(1)).zip(asked(2)).map(|((kind, subject), source)| Asked {
                kind,
                subject,
                source,
            }),
            cascades: texts(6),
            subject: text(8),
            missing: texts(9),
        })
    }
}

/// The verdict on a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Fails,
    /// The cookbook itself raises, so Chef would too.
    Refuses,
    /// An attribute or data bag is missing.
    InputMissing,
    /// Number of resource types that rchef cannot converge on the platform.
    CannotConverge(usize),
    /// Number of assumptions that findings depend on.
    Depends(usize),
    /// It runs, and would not with Chef 18, which lacks some of it; number of deprecations, those included.
    Removed(usize),
    /// It runs; number of deprecations.
    Deprecated(usize),
    /// It runs where so many questions are answered as it was assumed.
    Assuming(usize),
    Runs,
}

impl Verdict {
    /// The verdict that findings give.
    pub fn of(findings: &[Finding]) -> Self {
        let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.weight == Weight::Error).collect();
        let only = |rules: &[Code]| !errors.is_empty() && errors.iter().all(|finding| rules.contains(&finding.rule));
        if only(&[Code::NoProvider]) {
            return Self::CannotConverge(errors.len());
        }
        if only(&[Code::Refuses, Code::NoProvider]) {
            return Self::Refuses;
        }
        if only(&[Code::AttributeMissing, Code::DataBagMissing, Code::NoProvider]) {
            return Self::InputMissing;
        }
        if !errors.is_empty() {
            return Self::Fails;
        }
        let broken =
            findings.iter().filter(|finding| finding.weight == Weight::Assumption && finding.rule != Code::Assumed);
        let assumed: BTreeSet<&str> = broken.filter_map(|finding| finding.assumed.as_deref()).collect();
        if !assumed.is_empty() {
            return Self::Depends(assumed.len());
        }
        let count = |rule| findings.iter().filter(|finding| finding.rule == rule).count();
        match (count(Code::RemovedApi), count(Code::Deprecated), count(Code::Assumed)) {
            (0, 0, 0) => Self::Runs,
            (0, 0, assumed) => Self::Assuming(assumed),
            (0, deprecated, _) => Self::Deprecated(deprecated),
            (removed, deprecated, _) => Self::Removed(removed + deprecated),
        }
    }

    /// How the same would end with Chef 18, where that is known to be otherwise.
    pub fn with_chef(&self) -> Option<&'static str> {
        matches!(self, Self::Removed(_)).then_some("fails")
    }

    pub fn words(&self) -> String {
        let many = |count: usize, one: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") };
        match self {
            Self::Fails => "fails".into(),
            Self::Refuses => "refuses".into(),
            Self::InputMissing => "input missing".into(),
            Self::CannotConverge(types) => format!("cannot converge: {}", many(*types, "resource type")),
            Self::Depends(count) => format!("depends on {}", many(*count, "assumption")),
            Self::Removed(count) | Self::Deprecated(count) => format!("runs, {}", many(*count, "deprecation")),
            Self::Assuming(count) => format!("runs, {}", many(*count, "unanswered question")),
            Self::Runs => "runs".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Verdict, Weight};
    use rchef_model::code::Code;

    #[test]
    fn deprecations_of_both_kinds_are_counted() {
        let warning = |rule| Finding { weight: Weight::Warning, ..Finding::error(rule, String::new(), String::new()) };
        for (rules, words, with_chef) in [
            (vec![Code::RemovedApi, Code::Deprecated], "runs, 2 deprecations", Some("fails")),
            (vec![Code::RemovedApi], "runs, 1 deprecation", Some("fails")),
            (vec![Code::Deprecated], "runs, 1 deprecation", None),
            (vec![], "runs", None),
        ] {
            let findings: Vec<Finding> = rules.iter().copied().map(warning).collect();
            let verdict = Verdict::of(&findings);
            assert_eq!((verdict.words().as_str(), verdict.with_chef()), (words, with_chef), "{rules:?}");
        }
    }

    #[test]
    fn findings_pass_to_the_parent_whole() {
        let finding = Finding {
            todo: Some("do".into()),
            cascades: vec!["a".into()],
            subject: Some("e".into()),
            missing: vec!["b".into(), "c::d".into()],
            ..Finding::error(Code::MissingRole, "x:1".into(), "text".into())
        };
        assert_eq!(Finding::from_json(&finding.to_json()), Some(finding));
    }
}
