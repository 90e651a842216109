d = node['d']
template "#{d}/t.conf" do
  source 't.conf.erb'
  variables(items: %w(a b), title: 'T & U', lazy_one: lazy { 'late' })
  helper(:shout) { |text| text.upcase }
  helpers do
    def twice(text)
      text * 2
    end
  end
  mode '0644'
end
template "#{d}/broken" do
  source 'broken.erb'
  ignore_failure true
end
template "#{d}/absent" do
  source 'nothing.erb'
  ignore_failure true
end
ruby_block 'show' do
  block { print '' ; raise File.read("#{d}/t.conf") }
  ignore_failure true
end
