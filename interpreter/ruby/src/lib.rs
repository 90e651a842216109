//! The Ruby engine: values, virtual machine, object model, core classes, embedding API.
