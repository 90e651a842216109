# Accounts, files and what is kept in files.

group 'crew' do
  gid 4100
end
user 'anna' do
  uid 4100
  gid 'crew'
  comment 'Anna A'
  home '/home/anna'
  shell '/bin/sh'
  manage_home true
end
user 'robot' do
  system true
  inactive(-1)
end
user 'gone' do
  action :remove
end
group 'watch' do
  members %w(anna robot)
  append true
end

directory '/srv/app/conf' do
  owner 'anna'
  group 'crew'
  mode '0750'
  recursive true
end
template '/srv/app/conf/app.conf' do
  source 'app.conf.erb'
  owner 'anna'
  group 'crew'
  mode '0640'
  variables(port: 8080)
end
file '/srv/app/conf/plain' do
  content "plain\n"
  mode '0600'
end
file '/srv/app/secret' do
  content "secret\n"
  sensitive true
  mode '0400'
end
file '/srv/app/absent' do
  action :delete
end
link '/srv/app/current' do
  to '/srv/app/conf'
end
cookbook_file '/srv/app/greeting' do
  source 'greeting'
  mode '0644'
end
remote_directory '/srv/app/tree' do
  source 'tree'
  files_mode '0644'
  mode '0755'
end
execute 'stamp' do
  command 'date > /srv/app/stamp'
  creates '/srv/app/stamp'
end
bash 'count' do
  code 'echo once >> /srv/app/count'
  not_if { ::File.exist?('/srv/app/count') }
end

sudo 'crew' do
  group 'crew'
  commands ['/bin/true']
  nopasswd true
end
user_ulimit 'anna' do
  filehandle_limit 4096
end
directory '/etc/ssh'
ssh_known_hosts_entry 'host.example.com' do
  key 'AAAAC3NzaC1lZDI1NTE5AAAAIMGzLNNDNeINDJjEdnpUmGJo0hLqhbkP6ZzmeC0XXd6J'
  key_type 'ssh-ed25519'
end
alternatives 'greeter' do
  link '/usr/local/bin/greeter'
  path '/bin/echo'
  priority 100
  action :install
end
ohai_hint 'lab' do
  content 'room' => 'one'
end
openssl_rsa_private_key '/srv/app/key.pem' do
  key_length 2048
  mode '0600'
end
openssl_x509_certificate '/srv/app/cert.pem' do
  common_name 'app.example.com'
  org 'Example'
  org_unit 'App'
  country 'DE'
  key_file '/srv/app/key.pem'
  expire 365
end
