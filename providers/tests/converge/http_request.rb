web = "http://#{node['http']}"
http_request 'plain' do
  url "#{web}/sink"
end
http_request 'posted' do
  url "#{web}/sink"
  message 'a=b'
  headers('Content-Type' => 'text/x', 'X-Token' => 't')
  action :post
end
http_request 'hash' do
  url "#{web}/sink"
  message('a' => [1])
  action :put
end
http_request 'block' do
  url "#{web}/sink"
  message { 'from a block' }
  action [:patch, :delete]
end
http_request 'unchanged' do
  url "#{web}/unchanged"
  action :head
end
http_request 'changed' do
  url "#{web}/sink"
  action :head
  notifies :write, 'log[told]', :immediately
end
log 'told' do
  action :nothing
end
http_request 'gone' do
  url "#{web}/gone"
  ignore_failure true
end
http_request 'error' do
  url "#{web}/error"
  ignore_failure true
end
http_request 'moved' do
  url "#{web}/moved"
  message 'x'
  action :post
  ignore_failure true
end
