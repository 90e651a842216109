//! The Chef model: cookbooks, node, DSL, resources, collection, run loop, dump.
