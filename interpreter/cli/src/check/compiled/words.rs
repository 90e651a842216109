//! Information in the messages of exceptions.

/// The first file that a message names, with its line; for failures without a backtrace.
pub fn place_in(message: &str) -> Option<String> {
    if let Some((_, rest)) = message.split_once("Cookbook loaded at path [") {
        return Some(format!("{}/metadata.rb:1", rest.split(']').next()?));
    }
    let words = message.split(|letter: char| letter.is_whitespace() || "[](){}'\"`,<>".contains(letter));
    for word in words {
        let mut parts = word.split(':');
        let file = parts.next().unwrap_or_default();
        let is_file = [".rb", ".json", ".erb"].iter().any(|end| file.ends_with(end) && file.len() > end.len());
        if is_file && file.contains('/') {
            let line = parts.next().and_then(number).or_else(|| number(message.split_once("at line ")?.1));
            return Some(format!("{file}:{}", line.unwrap_or(1)));
        }
    }
    None
}

fn number(text: &str) -> Option<u32> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok()
}

/// A message without the details that differ between nodes: the `inspect` of an object becomes its class, and the platform is removed.
pub fn shortened(message: &str) -> String {
    /// Maximum length up to which MRI shows `inspect` in such messages.
    const LONGEST: usize = 65;
    if let Some((text, _)) = message
        .split_once(" on ")
        .filter(|(text, rest)| text.contains("Cannot find a resource for ") && rest.contains(" version "))
    {
        return text.to_string();
    }
    let Some((start, object)) = message.split_once(" for ").filter(|(start, _)| start.contains("undefined ")) else {
        return message.to_string();
    };
    let class = match object.strip_prefix("#<") {
        Some(inner) => inner.split([' ', '>']).next().map(|name| name.split(":0x").next().unwrap_or(name)),
        None => ["}:", "]:", "\":"].iter().filter_map(|end| Some(&object[object.rfind(end)? + end.len()..])).next(),
    };
    match class.filter(|_| object.len() > LONGEST) {
        Some(class) => format!("{start} for an object of {class}"),
        None => message.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{place_in, shortened};

    #[test]
    fn places() {
        for (message, place) in [
            ("x/recipes/s4.rb:2: syntax error, unexpected end-of-input", Some("x/recipes/s4.rb:2")),
            ("log[a] is defined in x/recipes/n.rb:1:in `from_file'", Some("x/recipes/n.rb:1")),
            ("roles/bad.json is not JSON: EOF while parsing a value at line 2 column 0", Some("roles/bad.json:2")),
            ("Cookbook loaded at path [y] has invalid metadata", Some("y/metadata.rb:1")),
            ("could not find recipe gone for cookbook x", None),
            ("ends with .rb and x.rb", None),
        ] {
            assert_eq!(place_in(message).as_deref(), place, "{message}");
        }
    }

    #[test]
    fn objects() {
        let long = "x".repeat(80);
        for (message, short) in [
            (
                format!("undefined method `a' for #<Chef::Role:0x00 @name=\"{long}\">"),
                "undefined method `a' for an object of Chef::Role",
            ),
            (
                format!("undefined method `a' for {{\"b\"=>\"{long}\"}}:Chef::Node::Attribute"),
                "undefined method `a' for an object of Chef::Node::Attribute",
            ),
            ("undefined method `a' for nil:NilClass".into(), "undefined method `a' for nil:NilClass"),
            ("Cannot find a resource for x_y on debian version 12".into(), "Cannot find a resource for x_y"),
            ("waits for x on y".into(), "waits for x on y"),
        ] {
            assert_eq!(shortened(&message), short);
        }
    }
}
