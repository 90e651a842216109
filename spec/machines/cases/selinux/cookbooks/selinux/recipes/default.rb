# SELinux as far as it goes without a kernel that has it: its packages, its configuration, modules of its policy, permissive domains.
selinux_install 'selinux'
selinux_state 'permissive' do
  action :permissive
end

selinux_module 'spec_content' do
  content <<~TE
    policy_module(spec_content, 1.0.0)

    type spec_content_t;
  TE
end
selinux_module 'spec_file' do
  source 'spec_file.te'
  base_dir '/srv/selinux'
end
selinux_module 'spec_file' do
  base_dir '/srv/selinux'
  action :install
end
selinux_module 'spec_gone' do
  base_dir '/srv/modules'
  action [:remove, :delete]
end
selinux_module 'spec_absent' do
  base_dir '/srv/modules'
  action :install
  ignore_failure true
end
selinux_module 'spec_broken' do
  base_dir '/srv/broken'
  content "policy_module(spec_broken, 1.0.0)\nallow\n"
  ignore_failure true
end

selinux_permissive 'named_t'
selinux_permissive 'ntpd_t' do
  action :delete
end

# these are only warned of
selinux_port '5678' do
  protocol 'tcp'
  secontext 'http_port_t'
end
selinux_fcontext '/srv/web(/.*)?' do
  secontext 'httpd_sys_content_t'
end
selinux_login 'daemon' do
  user 'user_u'
end
selinux_user 'spec_u' do
  roles %w(user_r)
end
