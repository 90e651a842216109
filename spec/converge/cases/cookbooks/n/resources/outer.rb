unified_mode true
property :text, String, default: 'x'
action :create do
  file '@ROOT@/t/inner' do
    content new_resource.text
    notifies :run, 'execute[within]'
    notifies :run, 'execute[outside]'
  end
  execute 'within' do
    command 'true'
    action :nothing
  end
end
