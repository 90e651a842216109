require 'kconv'
s = "日本語"
%i[tojis toeuc tosjis toutf8 toutf16 toutf32].each { |m| r = s.send(m); p [m, r.encoding, r.b] }
p s.encode("EUC-JP").b.toutf8, s.encode("Shift_JIS").b.toutf8, s.encode("ISO-2022-JP").b.toutf8, "abc".b.toutf8.encoding, "\xff\xfe".b.toutf8
p Kconv.guess(s), Kconv.guess("abc"), Kconv.guess(s.encode("EUC-JP")), Kconv.guess(s.encode("Shift_JIS")), Kconv.guess(s.encode("ISO-2022-JP"))
p s.isutf8, s.iseuc, s.issjis, s.isjis, "a".isjis, s.encode("ISO-2022-JP").isjis
p NKF.nkf("-w -E", s.encode("EUC-JP")), NKF.nkf("-sW", s).b, NKF.nkf("-Ws", s).encoding, NKF.nkf("-j", s).b, NKF.nkf("-wx", s), NKF.nkf("--ic=UTF-8 --oc=EUC-JP", s).b, NKF.nkf("-m0 -w", "a\r\nb"), NKF.nkf("-w -Lu", "a\r\nb")
p s.kconv(Kconv::EUC, Kconv::UTF8).b
