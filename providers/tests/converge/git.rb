require 'mixlib/shellout'
d = node['d']

# repositories of known commits
run = lambda do |repo, *commands|
  env = { 'GIT_AUTHOR_DATE' => '2022-01-02T03:04:05Z', 'GIT_COMMITTER_DATE' => '2022-01-02T03:04:05Z', 'GIT_CONFIG_GLOBAL' => '/dev/null',
          'GIT_AUTHOR_NAME' => 'a', 'GIT_AUTHOR_EMAIL' => 'a@example.org', 'GIT_COMMITTER_NAME' => 'a', 'GIT_COMMITTER_EMAIL' => 'a@example.org' }
  commands.each { |words| Mixlib::ShellOut.new(['git', *words], cwd: repo, environment: env).run_command.error! }
end
commit = lambda do |repo, name|
  File.write("#{repo}/#{name}", "#{name}\n")
  run.call(repo, ['add', name], ['commit', '-q', '-m', name])
end
%w(fixed moving).each do |name|
  repo = "#{d}-#{name}"
  next if Dir.exist?(repo)
  Dir.mkdir(repo)
  run.call(repo, %w(init -q -b main))
  commit.call(repo, 'one')
  run.call(repo, %w(tag light), %w(tag -a -m x v1), %w(branch other))
  commit.call(repo, 'two')
end
commit.call("#{d}-moving", 'three') if Dir.exist?("#{d}/moving") && !File.exist?("#{d}-moving/three")

git "#{d}/head" do
  repository "#{d}-fixed"
end
git "#{d}/tag" do
  repository "#{d}-fixed"
  revision 'v1'
end
git "#{d}/branch" do
  repository "#{d}-fixed"
  branch 'other'
end
git "#{d}/commit" do
  repository "#{d}-fixed"
  revision lazy { Mixlib::ShellOut.new(%w(git rev-parse light), cwd: "#{d}-fixed").run_command.stdout.strip }
  action :checkout
end
git "#{d}/named" do
  repository "#{d}-fixed"
  revision 'main'
  checkout_branch 'deploy'
  remote 'upstream'
  additional_remotes('backup' => "#{d}-moving")
  depth 1
  enable_submodules true
end
git "#{d}/export" do
  repository "#{d}-fixed"
  action :export
end
git "#{d}/only cloned" do
  repository "#{d}-fixed"
  revision 'other'
  enable_checkout false
  action :checkout
end
git "#{d}/moving" do
  repository "#{d}-moving"
  revision 'main'
end
git "#{d}/nope" do
  repository "#{d}-fixed"
  revision 'nope'
  ignore_failure true
end
git "#{d}/remote" do
  repository "#{d}-fixed"
  revision 'origin/main'
  ignore_failure true
end
git "#{d}/absent" do
  repository "#{d}-absent"
  ignore_failure true
end
git "#{d}/no/parent" do
  repository "#{d}-fixed"
  ignore_failure true
end
git "#{d}/user" do
  repository "#{d}-fixed"
  user 'nosuchuser'
  ignore_failure true
end
git "#{d}/option" do
  repository '--upload-pack=touch /tmp/rchef-evil'
  ignore_failure true
end
git "#{d}/option" do
  repository "#{d}-fixed"
  revision "--output=/tmp/x"
  ignore_failure true
end
git "#{d}/option" do
  repository "#{d}-fixed"
  remote "-f\n"
  ignore_failure true
end
file "#{d}/seen" do
  content lazy {
    Dir.glob("#{d}/*/.git").sort.map { |repo|
      out = Mixlib::ShellOut.new('git log -1 --format="%s %D"; git status --short; git remote', cwd: File.dirname(repo)).run_command.stdout
      "#{File.basename(File.dirname(repo))}: #{out.lines.map(&:strip).join(' | ')}\n"
    }.join + "export: #{Dir.children("#{d}/export").sort}\n"
  }
  only_if { Dir.exist?("#{d}/head") }
end
