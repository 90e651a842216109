d = node['d']
kinds = %w(a.tar a.tar.gz a.tar.bz2 a.tar.xz a.tar.zst a.zip)
evil = %w(up.tar absolute.tar dots.tar through.tar hard.tar pipe.tar no.tar seven.7z)
(kinds + evil).each do |name|
  cookbook_file "#{d}-#{name}" do
    source name
    sensitive true
  end
end

kinds.each do |name|
  archive_file "#{d}-#{name}" do
    destination "#{d}/#{name}"
    ignore_failure true
  end
end
evil.each do |name|
  archive_file "#{d}-#{name}" do
    destination "#{d}/#{name}"
    ignore_failure true
  end
end
archive_file 'absent' do
  path "#{d}/absent.zip"
  destination "#{d}/never"
  ignore_failure true
end
archive_file 'stripped' do
  ignore_failure true
  path "#{d}-a.tar.gz"
  destination "#{d}/stripped/deep"
  strip_components 1
  mode '0700'
  options %i(time permissions)
end
archive_file 'auto' do
  ignore_failure true
  path "#{d}-a.tar.gz"
  destination "#{d}/stripped/deep"
  strip_components 1
  overwrite :auto
end
file "#{d}/stripped/deep/one" do
  content "changed\n"
  not_if { File.exist?("#{d}/again") }
end
archive_file 'differs' do
  ignore_failure true
  path "#{d}-a.tar"
  destination "#{d}/stripped/deep"
  strip_components 1
  overwrite :auto
end
archive_file 'unknown option' do
  path "#{d}-a.tar.gz"
  destination "#{d}/acl"
  options :acl
  ignore_failure true
end
ruby_block 'look' do
  block do
    lines = Dir.glob("#{d}/**/*").sort.map do |path|
      stat = File.lstat(path)
      format('%s %o %s %s', path.delete_prefix("#{d}/"), stat.mode, stat.directory? || stat.symlink? ? '-' : stat.size, stat.mtime.utc.year == 2022 ? stat.mtime.utc : 'now')
    end
    lines << "outside: #{Dir.glob(["#{d}/evil", '/tmp/rchef-evil', "#{d}/../evil"])}"
    File.write("#{d}/again", lines.join("\n") + "\n")
  end
end
file "#{d}/again-copy" do
  content lazy { File.exist?("#{d}/again") ? File.read("#{d}/again").lines.reject { |line| line.start_with?('again') }.join : '' }
end
