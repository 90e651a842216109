//! `check --explain` for rules of compiled units.

use rchef_model::code::Code;

/// The explanation of a rule, whose name may start with `compile/`; None for an unknown name.
pub fn explanation(name: &str) -> Option<String> {
    let name = name.strip_prefix("compile/").unwrap_or(name);
    let code = Code::parse(name)?;
    let (summary, why, todo) = (code.summary(), code.why(), code.todo());
    Some(format!("compile/{code}\n\n{summary}.\nWhy: {why}.\nDo: {todo}.\n"))
}

#[cfg(test)]
mod tests {
    use super::{Code, explanation};

    #[test]
    fn every_rule_says_what_to_do() {
        for rule in Code::ALL {
            let told = explanation(rule.as_str()).unwrap();
            assert!(!rule.todo().is_empty() && told.starts_with("compile/"), "{rule}");
        }
        assert!(explanation("nothing").is_none());
    }
}
