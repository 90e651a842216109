# What NKF takes texts for: pairs of bytes that may be both EUC-JP and UTF-8 are EUC-JP.
require "nkf"

%w[表 日本語 あいう カナ ｶﾅ Ω привет ありがとう 中文 東京都 データ ｱｲｳ 、。].each do |word|
  %w[UTF-8 EUC-JP Shift_JIS ISO-2022-JP].each do |name|
    bytes = word.encode(name).b
    puts "#{word} #{name}: #{NKF.guess(bytes)}"
  rescue EncodingError
    next
  end
end
p NKF.guess("plain"), NKF.guess(""), NKF.nkf("-w", "\xC9\xBD".b), NKF.nkf("-s", "\xC9\xBD".b).b
