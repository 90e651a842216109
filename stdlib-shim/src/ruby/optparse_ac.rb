require "optparse"

# Options as configure scripts have them: `--enable-X`, `--disable-X`, `--with-X=VALUE`, `--without-X`.
class OptionParser::AC < OptionParser
  # What no argument means.
  ARG_CONV = proc { |value| value.nil? ? true : value }

  def ac_arg_enable(name, help_string, &block) = _ac_arg_enable("enable", name, help_string, block)
  def ac_arg_disable(name, help_string, &block) = _ac_arg_enable("disable", name, help_string, block)

  def ac_arg_with(name, help_string, &block)
    _check_ac_args(name, block)
    with = Switch::PlacedArgument.new(nil, nil, [], ["--with-#{name}"], nil, [help_string], block)
    without = Switch::NoArgument.new(nil, proc {}, [], ["--without-#{name}"], nil, [help_string], block)
    top.append(with, [], ["with-#{name}"], without, ["without-#{name}"])
    with
  end

  private

  def _check_ac_args(name, block)
    raise ArgumentError, name unless /\A\w[-\w]*\z/.match?(name)
    raise ArgumentError, "no block given", caller(2) unless block
  end

  # The one that the help shows takes an argument; its opposite takes none.
  def _ac_arg_enable(prefix, name, help_string, block)
    _check_ac_args(name, block)
    given = proc { |value| block.call(ARG_CONV.call(value)) }
    enable = Switch::PlacedArgument.new(nil, nil, [], ["--enable-#{name}"], nil, [help_string], given)
    disable = Switch::NoArgument.new(nil, proc { false }, [], ["--disable-#{name}"], nil, [help_string], block)
    shown = prefix == "enable" ? enable : disable
    top.append(shown, [], ["enable-#{name}"], disable, ["disable-#{name}"])
    top.long["enable-#{name}"] = enable
    shown
  end
end
