# A cookbook may reopen the class before any command has run.
require "mixlib/shellout"
class Mixlib::ShellOut
  alias_method :old_run, :run_command
  def run_command; puts "patched"; old_run; end
end
s = Mixlib::ShellOut.new("echo hi").run_command
s.error!
puts s.stdout
begin; Mixlib::ShellOut.new("false").run_command.error!; rescue Mixlib::ShellOut::ShellCommandFailed => e; p e.class; end
