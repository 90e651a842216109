# Interfaces and routes.
ifconfig '10.90.0.1' do
  device 'spec0'
  mask '255.255.255.0'
  mtu '1400'
end
ifconfig 'started by itself' do
  target '10.90.1.1'
  device 'spec1'
  mask '255.255.0.0'
  onboot 'yes'
end
ifconfig '10.90.2.1' do
  device 'spec2'
end

route '10.91.0.0/16' do
  gateway '10.90.0.2'
end
route '10.92.7.7' do
  gateway '10.90.0.3'
  device 'spec0'
  metric 7
end
route '10.93.0.0' do
  netmask '255.255.0.0'
  gateway '10.90.2.9'
end
route '10.94.0.0/16' do
  gateway '10.90.2.9'
  action :delete
end
route '10.95.0.0/16' do
  gateway '10.90.2.9'
  action :delete
end
route '10.96.0.0/16' do
  gateway '192.0.2.1'
  ignore_failure true
end
