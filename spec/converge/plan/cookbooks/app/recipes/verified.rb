root = Chef::Config[:chef_repo_path]

# a check that the content on the overlay answers
file "#{root}/answered" do
  content "first\n"
  verify 'grep -q first %{path}'
end

# a command that is not known to look only, in a line and in a block
file "#{root}/open.conf" do
  content "first\n"
  verify 'some-tool --check %{path}'
  verify { |path| ::File.read(path) == "first\n" && shell_out("wc -l #{path}").exitstatus == 0 }
end

# a block that asks about the machine, and one whose answer comes from a command that does not run
file "#{root}/asked" do
  content "first\n"
  verify { |_path| shell_out('uname -s').stdout.strip == 'Linux' }
  verify { |path| shell_out("some-tool --check #{path}").stdout.include?('fine') }
end

# what the run would refuse
file "#{root}/refused" do
  content "second\n"
  verify 'grep -q first %{path}'
end
