p node['plugins']['v'], node['nginx'].to_h, node['kernel']['extra'], node['opt'], node['fails'], node['exec_test']
file "#{Dir.pwd}/version" do
  content '1.24.0'
end
ohai 'again' do
  plugin 'nginx'
end
ohai 'all'
ohai('hostname') { plugin 'hostname' }
ohai('nonesuch') do
  plugin 'nonesuch'
  ignore_failure true
end
ruby_block 'look' do
  block { p node['nginx']['version'], node['kernel']['extra'], node['hostname'].class }
end
