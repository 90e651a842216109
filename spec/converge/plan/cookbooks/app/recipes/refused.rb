root = node['app']['root']

# what a command does is not known to a plan
execute 'edit' do
  command "echo edited | dd of=#{root}/kept status=none"
  only_if { ::File.exist?("#{root}/edit") }
end

file "#{root}/kept" do
  content "kept\n"
  ignore_failure true
  retries 2
  retry_delay 0
end

ruby_block 'rescues' do
  block do
    kept = Chef::Resource::File.new("#{root}/kept", run_context)
    kept.content "kept\n"
    begin
      kept.run_action(:create)
    rescue Exception => error
      puts "rescued #{error.class}"
    end
  end
  only_if { ::File.exist?("#{root}/rescue") }
end

file "#{root}/last" do
  content "last\n"
end
