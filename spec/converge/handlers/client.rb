# A formatter and a handler of one's own.
class Terse < Chef::Formatters::Base
  cli_name(:terse)

  def resource_updated(resource, action)
    puts "updated #{resource}"
  end

  def run_completed(_node, status)
    puts "done: #{status.success?}"
  end
end

class Begins < Chef::Handler
  def report
    puts "the run of #{node.name} begins"
  end
end
start_handlers << Begins.new
