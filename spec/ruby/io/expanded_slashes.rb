# Slashes at the start of a path are kept by File.expand_path unless `..` leads back to them.
%w[//server/../x //.. //../ //. /// // //a //a/.. //a/b/.. //a/b/../.. //a/b/../../.. ///a/../b //a/../../b /a/.. /.. //a//b//.. //a/./b ///..
   ///server/../x ////a/b/../../x //a/b/../../c/d //./a //../a].each do |path|
  puts "#{path} #{File.expand_path(path)} #{File.absolute_path(path)}"
end
%w[.. ../.. . x ../x ../../x ../../../x x/../.. /y ../].each do |path|
  puts "#{path} #{%w[//a/b //a // / ///a/b].map { |base| File.expand_path(path, base) }.join(" ")}"
end
ENV["HOME"] = "//home/me"
puts File.expand_path("~"), File.expand_path("~/.."), File.expand_path("~/../../x"), File.expand_path("../..", "~")
