d, web = node['d'], "http://#{node['http']}"
ENV['GEM_HOME'] = "#{d}-gems"
cookbook_file "#{d}/local.gem" do
  source 'gems/rcheflocal-0.1.0.gem'
  sensitive true
end
chef_gem 'rcheftest' do
  source web
  version '1.0.0'
end
chef_gem 'same' do
  package_name 'rcheftest'
  source web
  version '~> 1.0'
end
chef_gem 'newest' do
  package_name 'rcheftest'
  source web
  action :upgrade
end
chef_gem 'rchefext' do
  source web
  ignore_failure true
end
chef_gem 'rchefnone' do
  clear_sources true
  ignore_failure true
end
chef_gem 'damaged' do
  package_name 'rcheflocal'
  source web
  ignore_failure true
  not_if { Dir.exist?("#{d}-gems/gems/rcheflocal-0.1.0") }
end
chef_gem 'rcheflocal' do
  source "#{d}/local.gem"
  only_if { File.exist?("#{d}/local.gem") }
end
chef_gem '--help' do
  source web
  ignore_failure true
end
chef_gem 'a;b' do
  source web
  ignore_failure true
end
chef_gem 'environment' do
  environment('A' => 'b')
  ignore_failure true
end
chef_gem 'json' do
  source web
end
file "#{d}/used" do
  content lazy {
    if Dir.exist?("#{d}-gems")
      require 'rcheftest'
      require 'rcheflocal'
      "#{Rcheftest::VERSION} #{Rcheflocal::VERSION} #{Dir.children("#{d}-gems/gems").sort}\n"
    end
  }
end
chef_gem 'rcheflocal' do
  action :remove
  only_if { File.exist?("#{d}/used") && File.exist?("#{d}/local.gem") }
end
