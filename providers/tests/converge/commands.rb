d = node['d']
execute 'plain' do
  command "echo hi >> #{d}/log"
end
execute 'list' do
  command ['touch', "#{d}/with space"]
  creates "#{d}/with space"
end
execute 'fails' do
  command 'echo out; echo err >&2; exit 3'
  ignore_failure true
end
execute 'quiet failure' do
  command 'echo out; exit 3'
  sensitive true
  ignore_failure true
end
execute 'allowed' do
  command 'exit 3'
  returns [0, 3]
end
execute 'slow' do
  command 'sleep 5'
  timeout 1
  ignore_failure true
end
execute 'streams' do
  command 'echo shown'
  live_stream true
end
execute 'where' do
  command 'test "$(pwd)" = "$EXPECTED"'
  cwd d
  environment 'EXPECTED' => d
end
bash 'script' do
  code "a=(1 2)\necho ${a[1]} > #{d}/bash"
  creates "#{d}/bash"
end
log 'said'
notify_group 'group' do
  action :run
end
ruby_block 'block' do
  block { File.write("#{d}/block", 'x') }
  not_if { File.exist?("#{d}/block") }
end
