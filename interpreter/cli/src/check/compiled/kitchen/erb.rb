# The text that ERB makes of a template, as Test Kitchen renders its files; nil, the line (0 is unknown) and the reason if it fails.
lambda do |template, name|
  require 'erb'
  require 'json'
  require 'yaml'
  begin
    made = ERB.new(template)
    made.filename = name
    [made.result, 0, '']
  rescue Exception => error
    # a syntax error has its place in the message
    places = error.is_a?(SyntaxError) ? [error.message] : error.backtrace.to_a
    line = places.filter_map { |place| place[/\A#{Regexp.escape(name)}:(\d+)/, 1] }.first
    reason = error.message.lines.first.to_s.strip.delete_prefix("#{name}:#{line}: ")
    [nil, line.to_i, error.is_a?(SyntaxError) ? reason : "#{error.class}: #{reason}"]
  end
end
