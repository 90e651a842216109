# A jump where a value is needed is an error of the compiler; Ripper has its events.
require "ripper"
["URI(string) rescue return", "x while return", "a = b rescue return", "[1, 2][return]", "foo(return)", "x = (return)"].each { |source| p Ripper.sexp(source), Ripper.new(source).tap(&:parse).error? }
