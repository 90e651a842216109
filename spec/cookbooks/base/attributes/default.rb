default['base']['root'] = '/srv/base'
default['base']['motd'] = 'This machine is managed.'
default['base']['directories'] = {
  'etc' => '0755',
  'log' => '0750',
  'run' => '0755',
}
default['base']['links']['etc/current'] = 'etc/motd'
