# Above 10 MB a content stays in its file: the second run has nothing to do, and what was checked is what is written.
d = node['d']
text = 'a' * 10_000_001
file "#{d}/written" do
  content text
end
File.write("#{d}/long.erb", "<%= 'e' * 10_000_001 %>")
template "#{d}/rendered" do
  source "#{d}/long.erb"
  local true
end
ruby_block 'source' do
  block { File.binwrite("#{d}/source", 'b' * 10_000_001) }
end
remote_file "#{d}/fetched" do
  source "file://#{d}/source"
  checksum Digest::SHA256.hexdigest('b' * 10_000_001)
  verify do
    File.binwrite("#{d}/source", 'c')
    true
  end
end
file "#{d}/sizes" do
  content(lazy { %w(written rendered fetched).map { |name| "#{name} #{File.size?("#{d}/#{name}")}\n" }.join })
end
