//! Ruby source to a resolved tree: prism's parse, lowered at once. Nothing runs here.
