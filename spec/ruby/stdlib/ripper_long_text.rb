# Where characters have several bytes, tokens stay in place however far into the text they are.
require "ripper"
part = <<~'RUBY'
  # é a comment with ü
  def größe(a, b = "é#{a}ü", *c, k: :ö)
    text = <<-TEXT
      ñandú #{a + b} #@x
      end
    TEXT
    [1, 2.5, /é+#{a}/i, %w[ä ö ü], 'ß', :ä, "é": 1].each { |x| puts x if x =~ /\w/ } # ü
    x ? y : z; ä.b&.c ||= <<A + <<'B'
  é#{1}
  A
  ü#{2}
  B
  rescue => e then nil
  ensure
    `é`
  end
RUBY
source = part * 40
tokens = Ripper.lex(source)
p tokens.size, tokens.map { |token| token[2] }.join == source
single = Ripper.lex(part).map { |at, kind, text,| [at, kind, text] }
lines = part.lines.size
p tokens.map { |(line, column), kind, text,| [[(line - 1) % lines + 1, column], kind, text] }.each_slice(single.size).all? { |each| each == single }
p tokens.last(4).map { |token| token.first(3) }
p Ripper.tokenize(source + "=begin\né\n=end\n__END__\né").last(3)
p Ripper.sexp(source)[1].size
