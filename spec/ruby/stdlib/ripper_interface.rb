require "ripper"
r = Ripper.new("1 + 1")
p r.state, r.end_seen?, r.error?, r.filename, r.encoding
r.parse
p r.state, r.end_seen?, r.error?, r.lineno, r.column
r = Ripper.new("1\n__END__\nx"); r.parse; p r.end_seen?
l = Ripper::Lexer.new("def req(true) end"); p l.class.superclass, l.error?; l.parse; p l.error?, l.errors.first.then { |e| [e.pos, e.event, e.tok, e.state] }
begin; Ripper.lex("def req(true) end", raise_errors: true); rescue SyntaxError => e; puts e.message[/.*`true'/]; end
begin; Ripper.tokenize("def req(a, a) end", raise_errors: true); rescue SyntaxError => e; puts e.message; end
p Ripper.lex("def req(true) end").last, Ripper::Lexer.new("def req(true) end").parse.last
p Ripper.slice("<<HERE\nstring\#{nil}\nHERE", "heredoc_beg .*? nl $(.*?) heredoc_end", 1)
p Ripper.slice("a = 1", "ident sp op"), Ripper.slice("a", "kw")
p Ripper.token_match("a.b(1)", "period ident")&.class
begin; Ripper.slice("a", "id%"); rescue => e; p e.class, e.message; end
begin; Ripper.slice("a", "idx"); rescue => e; p e.class, e.message; end
p Ripper.sexp("case 0; in **a; end"), Ripper.sexp("case 0; in {a: 1, **nil}; end"), Ripper.sexp("case 0; in **; end")
class S < Ripper; def on_ident(x) = p(state, lineno, column); end
S.new("foo.bar baz").parse
p Ripper::Lexer.new("a b").scan.map(&:to_s)
