require "optparse"

class OptionParser
  # An option for each keyword of a method; what it gets lands in `options`. `params` have more for the declaration of some.
  def define_by_keywords(options, method, **params)
    method.parameters.each do |kind, name|
      next unless %i[key keyreq].include?(kind)
      word = name.to_s.upcase
      argument = kind == :key ? "[#{word}]" : word
      define("--#{name}=#{argument}", *params[name]) { |value| options[name] = value }
    end
    options
  end
end
