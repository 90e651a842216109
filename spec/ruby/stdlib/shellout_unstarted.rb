# A command that cannot be started leaves a status behind, as the gem's child does.
require "mixlib/shellout"
[["/nonexist/x status", {}], [["/nonexist/x", "a"], {}], ["/etc/passwd x", {}]].each do |command, options|
  made = Mixlib::ShellOut.new(*command, options)
  begin
    made.run_command
  rescue SystemCallError => e
    puts "#{e.class}: #{e.message}"
  end
  p made.status.class, made.exitstatus, made.stdout, made.stderr, made.error?
end
require "addressable/uri"
[nil, "a b", :a, 1].each { |value| puts((Addressable::URI.encode(value) rescue "#{$!.class}: #{$!.message}").inspect) }
require "openssl"
[nil, [], 1.5, {}].each { |value| begin; OpenSSL::PKey::RSA.new(value); rescue TypeError => e; puts e.message; end }
