module Find
  def find(*paths, ignore_error: true, &block)
    return enum_for(:find, *paths, ignore_error: ignore_error) unless block
    paths.each do |path|
      path = path.to_path if path.respond_to?(:to_path)
      path = path.to_str unless path.is_a?(String)
      raise Errno::ENOENT, path unless File.exist?(path)
      walk(path, ignore_error, &block)
    end
    nil
  end

  def walk(path, ignore_error, &block)
    catch(:prune) do
      yield path.dup
      begin
        next unless File.lstat(path).directory?
        names = Dir.children(path).sort
      rescue SystemCallError
        raise unless ignore_error
        next
      end
      names.each { |name| walk(path.end_with?("/") ? "#{path}#{name}" : "#{path}/#{name}", ignore_error, &block) }
    end
  end
  private :walk

  def prune = throw(:prune)
  module_function :find, :prune, :walk
end
