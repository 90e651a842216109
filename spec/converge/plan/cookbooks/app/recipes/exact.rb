root = node['app']['root']

directory root do
  recursive true
end

# what this command does is known, so `creates` and `not_if` tell nothing of it
execute 'not that file' do
  command "mkdir #{root}/made"
  creates "#{root}/never-made"
end

file "#{root}/not-planned" do
  only_if { ::File.exist?("#{root}/never-made") }
end

execute 'not that directory' do
  command "mkdir #{root}/also-made"
  not_if "test -d #{root}/never-there"
end

file "#{root}/not-planned-either" do
  only_if "test -d #{root}/never-there"
end
