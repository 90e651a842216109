root = node['app']['root']

directory root do
  recursive true
end

file "#{root}/list" do
  content "first\n"
end

# the same guard before and after the command that it guards
2.times do |number|
  execute "add the second line (#{number})" do
    command "echo second | dd of=#{root}/list oflag=append conv=notrunc status=none"
    not_if "grep -q second #{root}/list"
  end
end

# a guard that the assumed file answers
file "#{root}/after" do
  content 'x'
  only_if "grep -q first #{root}/list"
end

# and one that only the machine can answer
file "#{root}/other" do
  content 'x'
  only_if 'some-tool --is-ready'
end
