# NameError, KeyError and LoadError have their text without what is added to it: the source line and suggestions.
class Named < NameError
  def to_s = "mine #{super}"
end
class Keyed < KeyError
  def message = "mine #{super}"
end

def original
  yield
rescue Exception => error
  error.original_message
end

p(original { unknown_name })
p(original { Object.const_get(:NotHere) })
p(original { nil.upcase })
p(original { raise NameError, "plain" })
p(original { raise Named, "x" })
p(original { raise Keyed, "y" })
p(original { { foo: 1 }.fetch(:fooo) })
p(original { require "jso" })
p NameError.new.original_message
p StandardError.new.respond_to?(:original_message)
