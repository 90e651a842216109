# The encoding of the same characters that is compatible with ASCII.
%w{CP50220 CP50221 IBM037 ISO-2022-JP ISO-2022-JP-2 ISO-2022-JP-KDDI UTF-16 UTF-16BE UTF-32LE UTF-7 UTF8-MAC EUC-JP stateless-ISO-2022-JP}.each do |name|
  p [name, Encoding::Converter.asciicompat_encoding(name)]
end
