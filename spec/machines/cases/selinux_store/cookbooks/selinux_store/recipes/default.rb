# What the policy says of ports, files, users and accounts.
selinux_port '7100' do
  protocol 'tcp'
  secontext 'http_port_t'
end
selinux_port '7101' do
  protocol 'tcp'
  secontext 'ssh_port_t'
end
selinux_port '7102' do
  protocol 'udp'
  action :delete
end
selinux_port '7103' do
  protocol 'udp'
  secontext 'ntp_port_t'
  action :add
end
selinux_port '7104' do
  protocol 'tcp'
  secontext 'http_port_t'
  action :modify
end

selinux_fcontext '/srv/web(/.*)?' do
  secontext 'httpd_sys_content_t'
end
selinux_fcontext '/srv/other(/.*)?' do
  secontext 'var_t'
end
selinux_fcontext '/srv/gone' do
  secontext 'etc_t'
  file_type 'f'
  action :delete
end
selinux_fcontext '/srv/link' do
  secontext 'bin_t'
  file_type 'l'
  action :add
end

selinux_user 'spec_u' do
  range 's0'
  roles %w(user_r staff_r)
end
selinux_user 'more_u' do
  level 's0'
  range 's0-s0:c0.c5'
  roles %w(sysadm_r user_r)
end
selinux_user 'gone_u' do
  action :delete
end
selinux_login 'anna' do
  user 'spec_u'
  range 's0'
end
selinux_login 'carl' do
  action :delete
end

selinux_permissive 'named_t'
