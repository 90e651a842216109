# Who gives DidYouMean a formatter is told the names: methods and variables as Symbols, constants as Strings.
class Plain
  def self.message_for(names) = " <#{names.inspect}>"
end
DidYouMean.formatter = Plain
def told = (yield; nil) rescue puts($!.message.lines.last)
length = 1
told { 1.time }
told { Strin }
told { lenght }
told { { "first" => 1 }.fetch("frist") }
DidYouMean.formatter = DidYouMean::Formatter
told { 1.time }
