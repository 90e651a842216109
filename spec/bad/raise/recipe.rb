unless node['platform'] == 'plan9'
  raise "unsupported platform #{node['os']}"
end
