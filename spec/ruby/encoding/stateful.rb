def t(n); r = begin; yield.inspect; rescue => e; "#{e.class}: #{e.message}"; end; puts "#{n}: #{r}"; end
t(1) { "あ".encode("IBM037") }
t(2) { "é<A".encode("IBM037").b }
t(3) { "é<A".encode("IBM037").encode("UTF-8") }
t(4) { "あ".encode("IBM037", undef: :replace).b }
t(5) { "é".encode("ISO-8859-1").encode("IBM037").b }
t(6) { (0..255).map { |byte| byte.chr.force_encoding("IBM037").encode("ISO-8859-1").ord }.sort == (0..255).to_a }
t(7) { "aｱbあ".encode("CP50221").b }
t(8) { "aｱbあ".encode("CP50220").b }
t(9) { "abあ①".encode("CP50221").b }
t(10) { "abあ".encode("ISO-2022-JP-KDDI").b }
t(11) { "aｱ".encode("ISO-2022-JP-KDDI") }
%w[CP50221 CP50220].each { |name| t(name) { "\e(I1\e(Ba\e$B$\"\e(B".dup.force_encoding(name).encode("UTF-8") } }
t(12) { "한".encode("CP50221") }
t(13) { "한".encode("ISO-2022-JP-KDDI") }
t(14) { "한".encode("CP50221", undef: :replace).b }
t(15) { "あ".encode("EUC-JP").encode("CP50221").b }
t(16) { Encoding.name_list.count { |name| begin; "<script>".encode(name) != "<script>"; rescue StandardError; false; end } }
