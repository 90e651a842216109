class Raises < Chef::Handler
  def report = raise('the handler fails')
end
Chef::Config[:report_handlers] << Raises.new
log 'runs'
