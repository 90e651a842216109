//! Documents for Ruby code (`Psych::Nodes`): each node is an Array, which `ruby/psych.rb` converts to and from an object.

use super::tree::{Document, Kind, Node, Style};
use super::{Reader, failure, layout, load, load_options, option, source};
use rchef_ruby::{Args, Res, Value, Vm};
use rchef_yaml::{Event, Events, Place};

fn place_value(place: Place) -> Value {
    Value::array(place.iter().map(|part| Value::len(*part)).collect())
}
fn version_value(version: Option<(i64, i64)>) -> Value {
    Value::array(version.map_or(Vec::new(), |(major, minor)| vec![Value::Int(major), Value::Int(minor)]))
}
fn tags_value(tags: &[(String, String)]) -> Value {
    let pair = |(handle, prefix): &(String, String)| Value::array(vec![Value::str(handle), Value::str(prefix)]);
    Value::array(tags.iter().map(pair).collect())
}

/// `__events(source, filename)`: yields name, arguments and place of each parser event.
pub(super) fn events(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let filename = Some(args.at(1).clone()).filter(Value::truthy);
    let text = source(vm, args.at(0))?;
    let (Some(mut events), Some(block)) = (Events::new(&text), args.block) else { return Ok(Value::Nil) };
    loop {
        let (event, place) = events.next().map_err(|error| failure(vm, error, filename.clone()))?;
        let last = matches!(event, Event::StreamEnd);
        let (name, arguments) = event_value(&event);
        vm.yield_values(block, &[Value::sym(name), Value::array(arguments), place_value(place)])?;
        if last {
            return Ok(Value::Nil);
        }
    }
}
/// The constants of `Psych::Nodes` for block and flow style.
fn collection_style(flow: bool) -> Value {
    Value::Int(if flow { 2 } else { 1 })
}
fn event_value(event: &Event) -> (&'static str, Vec<Value>) {
    let collection = |anchor: &Option<String>, tag: &Option<String>, implicit: bool, flow: bool| {
        vec![text_or_nil(anchor.as_ref()), text_or_nil(tag.as_ref()), Value::bool(implicit), collection_style(flow)]
    };
    match event {
        Event::StreamStart => ("start_stream", vec![Value::Int(1)]),
        Event::StreamEnd => ("end_stream", Vec::new()),
        Event::DocumentStart(version, tags, implicit) => {
            ("start_document", vec![version_value(*version), tags_value(tags), Value::bool(*implicit)])
        }
        Event::DocumentEnd(implicit) => ("end_document", vec![Value::bool(*implicit)]),
        Event::Alias(name) => ("alias", vec![Value::str(name)]),
        Event::Scalar { text, anchor, tag, plain, quoted, style } => {
            let (anchor, tag) = (text_or_nil(anchor.as_ref()), text_or_nil(tag.as_ref()));
            let style = Value::Int(style_number(*style));
            ("scalar", vec![Value::str(text), anchor, tag, Value::bool(*plain), Value::bool(*quoted), style])
        }
        Event::SequenceStart { anchor, tag, implicit, flow } => {
            ("start_sequence", collection(anchor, tag, *implicit, *flow))
        }
        Event::SequenceEnd => ("end_sequence", Vec::new()),
        Event::MappingStart { anchor, tag, implicit, flow } => {
            ("start_mapping", collection(anchor, tag, *implicit, *flow))
        }
        Event::MappingEnd => ("end_mapping", Vec::new()),
    }
}

/// `__nodes(source, filename)`: yields for each document: the root, version, tag directives, whether `---` and `...` are missing, and the place.
/// Returns the place of the stream's end.
pub(super) fn nodes(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let filename = Some(args.at(1).clone()).filter(Value::truthy);
    let text = source(vm, args.at(0))?;
    vm.check_left(text.len().saturating_mul(super::READING))?;
    let mut reader = Reader::new(&text);
    loop {
        let document = reader.document().map_err(|error| failure(vm, error, filename.clone()))?;
        let (Some(document), Some(block)) = (document, args.block) else { return Ok(place_value(reader.end)) };
        let root = to_array(vm, &document, document.root)?;
        let about = vec![
            version_value(document.version),
            tags_value(&document.tags),
            Value::bool(document.implicit),
            Value::bool(document.implicit_end),
            place_value(document.place),
        ];
        vm.yield2(block, root, Value::array(about))?;
    }
}

fn text_or_nil(text: Option<&String>) -> Value {
    text.map_or(Value::Nil, Value::str)
}
pub(super) fn style_of(number: i64) -> Style {
    match number {
        1 => Style::Plain,
        2 => Style::Single,
        3 => Style::Double,
        4 => Style::Literal,
        5 => Style::Folded,
        _ => Style::Any,
    }
}
fn style_number(style: Style) -> i64 {
    match style {
        Style::Any => 0,
        Style::Plain => 1,
        Style::Single => 2,
        Style::Double => 3,
        Style::Literal => 4,
        Style::Folded => 5,
    }
}
fn to_array(vm: &mut Vm, document: &Document, index: usize) -> Res {
    vm.check_stack()?;
    let Node { kind, tag, anchor, place } = &document.nodes[index];
    let place = place_value(*place);
    let (tag, anchor) = (text_or_nil(tag.as_ref()), text_or_nil(anchor.as_ref()));
    let children = |vm: &mut Vm, items: &[usize]| -> Res {
        let items = items.iter().map(|item| to_array(vm, document, *item)).collect::<Res<Vec<_>>>()?;
        Ok(Value::array(items))
    };
    Ok(Value::array(match kind {
        Kind::Alias(name) => vec![Value::sym("alias"), Value::str(name), place],
        Kind::Scalar { text, style, plain, quoted } => vec![
            Value::sym("scalar"),
            Value::str(text),
            anchor,
            tag,
            Value::bool(*plain),
            Value::bool(*quoted),
            Value::Int(style_number(*style)),
            place,
        ],
        Kind::Sequence { items, implicit, flow } | Kind::Mapping { items, implicit, flow } => {
            let name = if matches!(kind, Kind::Sequence { .. }) { "seq" } else { "map" };
            vec![
                Value::sym(name),
                children(vm, items)?,
                anchor,
                tag,
                Value::bool(*implicit),
                collection_style(*flow),
                place,
            ]
        }
    }))
}

/// Adds the node given by an Array to a document.
fn from_array(vm: &mut Vm, document: &mut Document, array: &Value) -> Res<usize> {
    vm.check_stack()?;
    let list = vm.to_ary(array)?;
    let parts = list.get(vm).items.clone();
    let at = |index: usize| parts.get(index).cloned().unwrap_or_default();
    let text = |vm: &mut Vm, value: Value| -> Res<Option<String>> {
        if value.is_nil() { Ok(None) } else { vm.to_s_text(&value).map(Some) }
    };
    let kind = text(vm, at(0))?.unwrap_or_default();
    if kind == "alias" {
        let name = text(vm, at(1))?.unwrap_or_default();
        return Ok(document.add(Kind::Alias(name), None, None));
    }
    let (anchor, tag) = (text(vm, at(2))?, text(vm, at(3))?);
    if kind == "scalar" {
        let style = match at(6) {
            Value::Int(number) => style_of(number),
            _ => Style::Any,
        };
        let text = text(vm, at(1))?.unwrap_or_default();
        let kind = Kind::Scalar { text, style, plain: at(4).truthy(), quoted: at(5).truthy() };
        return Ok(document.add(kind, tag, anchor));
    }
    let (implicit, flow) = (at(4).truthy(), matches!(at(5), Value::Int(2)));
    let empty = match kind.as_str() {
        "seq" => Kind::Sequence { items: Vec::new(), implicit, flow },
        _ => Kind::Mapping { items: Vec::new(), implicit, flow },
    };
    let node = document.add(empty, tag, anchor);
    let children = vm.to_ary(&at(1))?;
    for child in children.get(vm).items.clone() {
        let child = from_array(vm, document, &child)?;
        document.push(node, child);
    }
    Ok(node)
}

/// Pairs of a handle and a prefix.
fn tag_directives(vm: &mut Vm, given: Option<&Value>) -> Res<Vec<(String, String)>> {
    let Some(given) = given.filter(|given| given.truthy()) else { return Ok(Vec::new()) };
    let list = vm.to_ary(given)?;
    let mut tags = Vec::new();
    for pair in list.get(vm).items.clone() {
        let pair = vm.to_ary(&pair)?;
        let [handle, prefix, ..] = &pair.get(vm).items.clone()[..] else {
            return Err(vm.runtime_error("tag tuple must be of length 2"));
        };
        tags.push((vm.to_s_text(handle)?, vm.to_s_text(prefix)?));
    }
    Ok(tags)
}

/// `__to_ruby(root, options)`: the value of a document.
pub(super) fn to_ruby(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut document = Document::default();
    document.root = from_array(vm, &mut document, args.at(0))?;
    let options = load_options(vm, args.at(1))?;
    load::load(vm, &document, &options)
}

/// `__emit(roots, options)`: the text of documents, each given as its root, whether to omit `---`, its version, whether to omit `...`, and
/// its tag directives.
pub(super) fn emit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let options = args.at(1);
    let layout = layout(vm, options)?;
    let header = option(vm, options, "header").map(|_| (1, 1));
    let mut documents = Vec::new();
    let roots = vm.to_ary(args.at(0))?;
    for root in roots.get(vm).items.clone() {
        let parts = vm.to_ary(&root)?;
        let parts = parts.get(vm).items.clone();
        let implicit = parts.get(1).is_some_and(Value::truthy);
        let implicit_end = parts.get(3).is_none_or(Value::truthy);
        let mut version = header;
        if let Some(given) = parts.get(2) {
            let given = vm.to_ary(given)?;
            if let [major, minor, ..] = &given.get(vm).items.clone()[..] {
                version = Some((vm.to_int(major)?, vm.to_int(minor)?));
            }
        }
        let tags = tag_directives(vm, parts.get(4))?;
        let mut document = Document { version, implicit, implicit_end, tags, ..Document::default() };
        document.root = from_array(vm, &mut document, parts.first().unwrap_or(&Value::Nil))?;
        documents.push(document);
    }
    Ok(Value::str(super::emit::emit(&documents, layout)))
}
