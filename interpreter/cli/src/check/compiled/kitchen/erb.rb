# The text that ERB makes of a template, as Test Kitchen renders its files; nil, the line (0 is unknown), the reason
# and whether it is no Ruby if it fails.
lambda do |template, name|
  require 'erb'
  require 'json'
  require 'yaml'
  begin
    made = ERB.new(template)
    made.filename = name
    [made.result, 0, '', false]
  rescue Exception => error
    # a syntax error has its place in the message
    wrong = error.is_a?(SyntaxError)
    places = wrong ? [error.message] : error.backtrace.to_a
    line = places.filter_map { |place| place[/\A#{Regexp.escape(name)}:(\d+)/, 1] }.first
    reason = error.message.lines.first.to_s.strip.delete_prefix("#{name}:#{line}: ")
    [nil, line.to_i, wrong ? reason : "#{error.class}: #{reason}", wrong]
  end
end
