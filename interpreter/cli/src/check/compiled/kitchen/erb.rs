//! Renders the ERB of Test Kitchen's files on an overlay that shows only the current directory, with the caller's environment.

use crate::check::compiled::evaluator;
use rchef_ruby::{Value, Vm};
use serde_json::Value as Json;
use std::ops::{Range, RangeInclusive};

/// Maximum number of tags that are left out one by one.
const MOST: usize = 20;
/// Maximum length up to which a tag is shown.
const LONGEST: usize = 60;

/// The text that ERB makes of a file. Code that fails counts as nothing, and `skipped` says so.
pub fn rendered(name: &str, text: &str, skipped: &mut Vec<String>) -> String {
    if !text.contains("<%") {
        return text.to_string();
    }
    let mut evaluate = match renderer() {
        Ok(evaluate) => evaluate,
        Err(why) => {
            skipped.push(format!("{name}: its ERB, which counts as nothing: {why}"));
            return without(text, &|_| true);
        }
    };
    let mut template = text.to_string();
    let mut statements = true;
    for _ in 0..=MOST {
        let failed = match evaluate(&template, name) {
            Ok(text) => return text,
            Err(failed) => failed,
        };
        let Failed { line, why, .. } = &failed;
        let at = if *line > 0 { format!(":{line}") } else { String::new() };
        if let Some(tags) = culprits(&mut evaluate, &template, name, &failed) {
            for place in tags.into_iter().rev() {
                let tag = template[place.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
                let tag = match tag.char_indices().nth(LONGEST) {
                    Some((end, _)) => format!("{}...", &tag[..end]),
                    None => tag,
                };
                skipped.push(format!("{name}{at}: {tag}, which counts as empty: {why}"));
                template = emptied(&template, place);
            }
        } else if statements {
            skipped.push(format!("{name}{at}: ERB without =, so all text between such tags counts once: {why}"));
            template = without(&template, &|tag| !tag.starts_with("<%="));
            statements = false;
        } else {
            break;
        }
    }
    skipped.push(format!("{name}: its ERB, which counts as nothing: too much of it fails"));
    without(text, &|_| true)
}

/// Why a template cannot be rendered.
#[derive(PartialEq)]
struct Failed {
    /// 0 is unknown.
    line: usize,
    why: String,
    /// Whether it is no Ruby.
    wrong: bool,
}

/// The tags at the line of a failure that cause it: without them something else fails, or nothing. What begins or ends a block is none of them.
fn culprits(evaluate: &mut Evaluate, template: &str, name: &str, failed: &Failed) -> Option<Vec<Range<usize>>> {
    let here = |(lines, _): &(RangeInclusive<usize>, Range<usize>)| lines.contains(&failed.line);
    let all: Vec<Range<usize>> = places(template).into_iter().filter(here).map(|(_, place)| place).collect();
    let shows = |place: &Range<usize>| template[place.clone()].starts_with("<%=");
    let mut tries: Vec<Vec<Range<usize>>> = all.iter().map(|place| vec![place.clone()]).collect();
    tries.push(all.into_iter().filter(shows).collect());
    tries.into_iter().filter(|tags| !tags.is_empty()).find(|tags| {
        let text = tags.iter().rev().fold(template.to_string(), |text, place| emptied(&text, place.clone()));
        let block = |other: &Failed| other.wrong && !(failed.wrong && tags.iter().all(shows));
        evaluate(&text, name).err().is_none_or(|other| other != *failed && !block(&other))
    })
}

/// What renders a template: the text, or the line and the reason.
type Evaluate = Box<dyn FnMut(&str, &str) -> Result<String, Failed>>;

/// A machine for templates.
///
/// # Errors
/// The reason why there is none.
fn renderer() -> Result<Evaluate, String> {
    let (mut vm, _) = evaluator::evaluator(None)?;
    let code = vm
        .run_string(include_bytes!("erb.rb"), "(kitchen)", 1)
        .map_err(|error| crate::diagnostic::describe(&mut vm, error))?;
    Ok(Box::new(move |template, name| {
        let arguments = [Value::str(template), Value::str(name)];
        let Some(answer) = called(&mut vm, &code, &arguments) else {
            return Err(Failed { line: 0, why: "it ran into a limit".to_string(), wrong: false });
        };
        match answer[0].as_str() {
            Some(text) => Ok(text.to_string()),
            None => {
                let line = answer[1].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
                let why = answer[2].as_str().unwrap_or_default().to_string();
                Err(Failed { line, why, wrong: answer[3] == true })
            }
        }
    }))
}

fn called(vm: &mut Vm, code: &Value, arguments: &[Value]) -> Option<Json> {
    let answer = vm.call_name(code, "call", arguments).ok()?;
    rchef_recipe::data::to_json(vm, &answer).ok()
}

/// The tags of a template: their lines and places.
fn places(template: &str) -> Vec<(RangeInclusive<usize>, Range<usize>)> {
    let mut found = Vec::new();
    let (mut from, mut line) = (0, 1);
    while let Some(start) = template[from..].find("<%").map(|at| from + at) {
        let end = template[start..].find("%>").map_or(template.len(), |at| start + at + 2);
        let first = line + template[from..start].matches('\n').count();
        line = first + template[start..end].matches('\n').count();
        found.push((first..=line, start..end));
        from = end;
    }
    found
}

/// A template without some of its tags.
fn without(template: &str, drops: &dyn Fn(&str) -> bool) -> String {
    let dropped = places(template).into_iter().rev().filter(|(_, place)| drops(&template[place.clone()]));
    dropped.fold(template.to_string(), |text, (_, place)| emptied(&text, place))
}

/// A template with nothing in a place but its line breaks: the lines below stay where they are.
fn emptied(template: &str, place: Range<usize>) -> String {
    let mut text = template.to_string();
    let kept = "\n".repeat(text[place.clone()].matches('\n').count());
    text.replace_range(place, &kept);
    text
}

#[cfg(test)]
mod tests {
    use super::{places, without};

    #[test]
    fn tags() {
        let text = "<% a\n%>\nb: <%= c %> <%=\nd %>\n<%= e %>";
        let found: Vec<_> = places(text).into_iter().map(|(lines, place)| (lines, &text[place])).collect();
        assert_eq!(found, [(1..=2, "<% a\n%>"), (3..=3, "<%= c %>"), (3..=4, "<%=\nd %>"), (5..=5, "<%= e %>")]);
        assert_eq!(without(text, &|tag| !tag.starts_with("<%=")), "\n\nb: <%= c %> <%=\nd %>\n<%= e %>");
        assert_eq!(without(text, &|_| true), "\n\nb:  \n\n");
        assert_eq!(without("a <%= b", &|_| true), "a ");
    }
}
