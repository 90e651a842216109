# Stems of words in place of an extension's: both engines have the same ones.
class String
  def stem = sub(/(?:ing|ed|s)\z/, "")
end
