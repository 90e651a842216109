require "fileutils"

class Dir
  def self.tmpdir
    [ENV["TMPDIR"], ENV["TMP"], ENV["TEMP"], "/tmp"].compact.find { |dir| File.directory?(dir) && File.writable?(dir) } || raise(ArgumentError, "could not find a temporary directory")
  end

  def self.mktmpdir(prefix_suffix = nil, tmpdir = nil, **options)
    require "securerandom"
    prefix, suffix = prefix_suffix.is_a?(Array) ? prefix_suffix : [prefix_suffix || "d", ""]
    path = File.join(tmpdir || self.tmpdir, "#{prefix}#{Time.now.strftime("%Y%m%d")}-#{Process.pid}-#{SecureRandom.alphanumeric(6).downcase}#{suffix}")
    mkdir(path, 0o700)
    return path unless block_given?
    begin
      yield path.dup
    ensure
      FileUtils.remove_entry(path) if File.exist?(path)
    end
  end
end
