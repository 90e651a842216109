d, web = node['d'], "http://#{node['http']}/classic"
ENV['GEM_HOME'] = "#{d}-gems"
chef_gem 'rchefdep' do
  source web
  clear_sources true
end
chef_gem 'rchefnone' do
  source web
  clear_sources true
  ignore_failure true
end
file "#{d}/used" do
  content lazy { Dir.exist?("#{d}-gems") ? "#{Dir.children("#{d}-gems/gems").sort}\n" : '' }
end
