root = node['app']['root']

execute 'unpack' do
  command "mkdir -p #{root}/unpacked && dd if=/dev/null of=#{root}/unpacked/done status=none"
  not_if { ::File.exist?("#{root}/unpacked/done") }
end

file "#{root}/unpacked/own" do
  content 'x'
end

execute 'make' do
  command "mkdir -p #{root} && dd if=/dev/null of=#{root}/made status=none"
  creates "#{root}/made"
end

file "#{root}/copy" do
  content 'copy'
  only_if { ::File.exist?("#{root}/made") }
end

version = shell_out('some-tool --print-version').stdout

file "#{root}/version" do
  content "version #{version}"
  only_if 'test -e /'
end
