require "ripper"
p Ripper::PARSER_EVENT_TABLE, Ripper::SCANNER_EVENT_TABLE, Ripper::EVENTS.size, Ripper::EVENTS == Ripper::PARSER_EVENTS + Ripper::SCANNER_EVENTS
p Ripper.new("1").send(:on_alias, 1, 2), Ripper.new("1").send(:on_args_new), Ripper.new("1").send(:on_kw, "x")
p Ripper.private_method_defined?(:on_alias)
