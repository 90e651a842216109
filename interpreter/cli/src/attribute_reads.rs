//! The node attributes that Ruby source reads by fixed names.

/// Adds the attributes that Ruby source reads by fixed names, as in `node['a']["b"][:c]`.
pub fn named_in(text: &str, found: &mut Vec<Vec<String>>) {
    let mut rest = text;
    while let Some(at) = rest.find("node[") {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + 4..];
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '@')) {
            continue;
        }
        let mut keys = Vec::new();
        while let Some((key, after)) = key(rest) {
            keys.push(key.to_string());
            rest = after;
        }
        if !keys.is_empty() && !found.contains(&keys) {
            found.push(keys);
        }
    }
}

/// One key in brackets.
fn key(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let (quote, start) = match inner.chars().next()? {
        quote @ ('\'' | '"') => (Some(quote), &inner[1..]),
        ':' => (None, &inner[1..]),
        _ => return None,
    };
    let (key, after) = match quote {
        Some(quote) => {
            let (key, after) = start.split_once(quote)?;
            (key, after.strip_prefix(']')?)
        }
        None => start.split_once(']')?,
    };
    let is_fixed = !key.is_empty() && !key.contains("#{") && !key.contains(['[', ' ', '\n']);
    is_fixed.then_some((key, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_node() {
        let mut found = Vec::new();
        named_in("my_node['a'] x.node['b'] node[key]['c'] node['d'][key]", &mut found);
        assert_eq!(found, [vec!["d"]]);
    }

    #[test]
    fn any_kind_of_key() {
        let mut found = Vec::new();
        named_in("x if node['a'][:b][\"c\"] == node[y]", &mut found);
        assert_eq!(found, [["a", "b", "c"]]);
    }
}
