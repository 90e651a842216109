# heredoc_unindent: takes the common indentation away
class String
  def unindent = gsub(/^#{scan(/^[ \t]*(?=\S)/).min_by(&:size)}/, "")
  def unindent! = replace(unindent)
  alias heredoc_unindent unindent
  alias heredoc_unindent! unindent!
end
