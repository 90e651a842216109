default['app']['greeting'] = 'hello'
default['app']['root'] = "#{ENV['HOME']}/app"
