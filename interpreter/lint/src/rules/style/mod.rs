//! The department Chef/Style.

use crate::rule::Rule;

mod attribute_keys;
mod chef_whaaat;
mod comment_format;
mod comment_sentence_spacing;
mod copyright_comment_format;
mod default_copyright_comments;
mod file_mode;
mod immediate_notification_timing;
mod include_recipe_with_parentheses;
mod negating_only_if;
mod overly_complex_supports_depends_metadata;
mod simplify_platform_major_version_check;
mod true_class_false_class_resource_properties;
mod unnecessary_os_check;
mod unnecessary_platform_case_statement;
mod use_platform_helpers;

pub static RULES: &[&Rule] = &[
    &attribute_keys::RULE,
    &chef_whaaat::RULE,
    &comment_format::RULE,
    &comment_sentence_spacing::RULE,
    &copyright_comment_format::RULE,
    &default_copyright_comments::RULE,
    &file_mode::RULE,
    &immediate_notification_timing::RULE,
    &include_recipe_with_parentheses::RULE,
    &negating_only_if::RULE,
    &overly_complex_supports_depends_metadata::RULE,
    &simplify_platform_major_version_check::RULE,
    &true_class_false_class_resource_properties::RULE,
    &unnecessary_os_check::RULE,
    &unnecessary_platform_case_statement::RULE,
    &use_platform_helpers::RULE,
];
