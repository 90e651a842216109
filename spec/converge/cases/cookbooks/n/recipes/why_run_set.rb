# Code that sets Chef::Config[:why_run] makes the actions after it a why-run, until it is unset.
file "#{Dir.pwd}/../t/made"
ruby_block 'ask' do
  block do
    Chef::Config[:why_run] = true
    Chef::Resource::File.new("#{Dir.pwd}/../t/asked", run_context).run_action(:create)
  end
end
file "#{Dir.pwd}/../t/not_made"
log 'told' do
  only_if { Chef::Config[:why_run] = false; true }
end
file "#{Dir.pwd}/../t/made_again"
