default['web']['root'] = "#{node['base']['root']}/web"
default['web']['workers'] = 2
default['web']['log_level'] = 'warn'
default['web']['tls']['enabled'] = false
default['web']['sites'] = {
  'example' => { 'port' => 8080, 'aliases' => %w(www.example.com example.com) },
  'status' => { 'port' => 8081 },
}
normal['web']['owner_note'] = 'set by the cookbook'
override['web']['log_level'] = 'info'
force_default['web']['workers'] = 4
