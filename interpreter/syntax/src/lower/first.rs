//! Where a statement begins to do something: MRI tells and counts its line there.

use ruby_prism as prism;

/// The offset of what a statement does first: of the first instruction that MRI compiles it to.
pub(super) fn first_done(node: &prism::Node<'_>) -> u32 {
    let mut first = inner(node);
    while let Some(next) = first.as_ref().and_then(inner) {
        first = Some(next);
    }
    first.as_ref().unwrap_or(node).location().start()
}

/// The part of a node that is evaluated first; None if that is the node itself.
fn inner<'pr>(node: &prism::Node<'pr>) -> Option<prism::Node<'pr>> {
    use prism::Node as P;
    match node {
        P::CallNode { .. } => node.as_call_node()?.receiver(),
        P::CallAndWriteNode { .. } => node.as_call_and_write_node()?.receiver(),
        P::CallOrWriteNode { .. } => node.as_call_or_write_node()?.receiver(),
        P::CallOperatorWriteNode { .. } => node.as_call_operator_write_node()?.receiver(),
        P::IndexAndWriteNode { .. } => node.as_index_and_write_node()?.receiver(),
        P::IndexOrWriteNode { .. } => node.as_index_or_write_node()?.receiver(),
        P::IndexOperatorWriteNode { .. } => node.as_index_operator_write_node()?.receiver(),
        P::LocalVariableWriteNode { .. } => Some(node.as_local_variable_write_node()?.value()),
        P::InstanceVariableWriteNode { .. } => Some(node.as_instance_variable_write_node()?.value()),
        P::ClassVariableWriteNode { .. } => Some(node.as_class_variable_write_node()?.value()),
        P::GlobalVariableWriteNode { .. } => Some(node.as_global_variable_write_node()?.value()),
        P::ConstantWriteNode { .. } => Some(node.as_constant_write_node()?.value()),
        P::MultiWriteNode { .. } => Some(node.as_multi_write_node()?.value()),
        P::ArrayNode { .. } => {
            let array = node.as_array_node()?;
            // `%w[a b]` begins before its words
            let words = array.opening_loc().is_some_and(|opening| opening.as_slice().starts_with(b"%"));
            if words { None } else { first_element(&array.elements()) }
        }
        P::HashNode { .. } => first_element(&node.as_hash_node()?.elements()),
        P::KeywordHashNode { .. } => node.as_keyword_hash_node()?.elements().first(),
        P::AssocNode { .. } => Some(node.as_assoc_node()?.key()),
        P::ArgumentsNode { .. } => node.as_arguments_node()?.arguments().first(),
        P::SplatNode { .. } => node.as_splat_node()?.expression(),
        P::AndNode { .. } => Some(node.as_and_node()?.left()),
        P::OrNode { .. } => Some(node.as_or_node()?.left()),
        P::IfNode { .. } => Some(node.as_if_node()?.predicate()),
        P::UnlessNode { .. } => Some(node.as_unless_node()?.predicate()),
        P::CaseNode { .. } => {
            let case = node.as_case_node()?;
            case.predicate().or_else(|| case.conditions().first()?.as_when_node()?.conditions().first())
        }
        P::CaseMatchNode { .. } => node.as_case_match_node()?.predicate(),
        P::ReturnNode { .. } => node.as_return_node()?.arguments().map(|all| all.as_node()),
        P::RescueModifierNode { .. } => Some(node.as_rescue_modifier_node()?.expression()),
        P::BeginNode { .. } => node.as_begin_node()?.statements()?.body().first(),
        P::ParenthesesNode { .. } => node.as_parentheses_node()?.body(),
        P::StatementsNode { .. } => node.as_statements_node()?.body().first(),
        P::InterpolatedStringNode { .. } => first_part(&node.as_interpolated_string_node()?),
        _ => None,
    }
}

/// The first of some elements; None where all are literals, for these are made at once.
fn first_element<'pr>(elements: &prism::NodeList<'pr>) -> Option<prism::Node<'pr>> {
    if elements.iter().all(|element| is_static(&element)) { None } else { elements.first() }
}

/// Whether MRI needs no code for the value of a node, or of both parts of a pair.
fn is_static(node: &prism::Node<'_>) -> bool {
    use prism::Node as P;
    match node {
        P::AssocNode { .. } => {
            node.as_assoc_node().is_some_and(|pair| is_static(&pair.key()) && is_static(&pair.value()))
        }
        P::StringNode { .. } => node.as_string_node().is_some_and(|text| text.is_frozen()),
        P::IntegerNode { .. }
        | P::FloatNode { .. }
        | P::RationalNode { .. }
        | P::ImaginaryNode { .. }
        | P::SymbolNode { .. }
        | P::RegularExpressionNode { .. }
        | P::NilNode { .. }
        | P::TrueNode { .. }
        | P::FalseNode { .. } => true,
        _ => false,
    }
}

/// The part of a String that is evaluated first, or that MRI takes the line of the whole from: a literal with code that follows one without.
fn first_part<'pr>(text: &prism::InterpolatedStringNode<'pr>) -> Option<prism::Node<'pr>> {
    let parts = text.parts();
    let mut parts = parts.iter().filter(|part| part.as_string_node().is_none_or(|part| !part.unescaped().is_empty()));
    let first = parts.next()?;
    if first.as_string_node().is_some() {
        return parts.next().filter(|next| next.as_interpolated_string_node().is_some());
    }
    Some(first)
        .filter(|part| part.as_embedded_statements_node().is_some() || part.as_interpolated_string_node().is_some())
}
