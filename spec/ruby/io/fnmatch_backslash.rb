# A single backslash at the end of a pattern stands for nothing, unless it is a plain character.
[["a\\", "a"], ["a\\", "a\\"], ["\\", ""], ["\\", "\\"], ["?\\", "a\\"], ["*\\", "ab"], ["*\\", "ab\\"], ["a\\\\", "a\\"], ["[a\\", "a"], ["a/\\", "a/\\"]].each do |pattern, path|
  p [pattern, path, File.fnmatch(pattern, path), File.fnmatch(pattern, path, File::FNM_NOESCAPE), File.fnmatch(pattern, path, File::FNM_PATHNAME)]
end
