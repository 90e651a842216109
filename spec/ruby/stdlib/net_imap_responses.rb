# Responses of IMAP servers, each parsed by itself: `^` stands for a line break within one.
require "net/imap"
Thread.report_on_exception = false
def show(x)
  case x
  when Struct then "#{x.class.name.split("::").last}(#{x.to_h.reject { |k, v| k == :raw_data }.map { |k, v| "#{k}: #{show(v)}" }.join(", ")})"
  when Array then "[#{x.map { |e| show(e) }.join(", ")}]"
  when Hash then "{#{x.map { |k, v| "#{k.inspect} => #{show(v)}" }.join(", ")}}"
  else x.inspect
  end
end
DATA.read.b.each_line(chomp: true) do |line|
  line = line.gsub("^", "\r\n").gsub(/\\x(..)/) { $1.hex.chr } + "\r\n"
  parser = Net::IMAP::ResponseParser.new
  puts line.inspect
  begin
    Timeout.timeout(1) { r = parser.parse(line); puts "  #{show(r)} #{r.respond_to?(:raw_data) && r.raw_data == line}" }
  rescue Exception => e
    puts "  #{e.class}: #{e.message[0, 90]}"
  end
end
__END__
* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready
* OK ready
* OK [ALERT] hello [you]
* OK [ALERT]hello
* NO [BADCHARSET (UTF-8 "us ascii")] no
* NO [BADCHARSET] no
* OK [PERMANENTFLAGS (\Deleted \*)] ok
* OK [UIDVALIDITY 123] ok
* OK [UNSEEN 3] x
* OK [UIDNEXT 9] x
* OK [READ-WRITE] x
* OK [HIGHESTMODSEQ 715194045007]
* OK [COPYUID 1 2:3 4:5] done
* OK [FOO]
* BYE bye
* PREAUTH x
RUBY0001 OK done
RUBY0001 NO [TRYCREATE] no such
RUBY0001 bad wrong
RUBY0001 OK
A]b OK x
+ go on
+
+ 
+ dGVzdA==
* 3 EXISTS
* 0 RECENT
* 2 EXPUNGE
* 2 expunge 
* FLAGS (\Answered \Flagged \Deleted keyword $Forwarded)
* FLAGS (\seen)
* FLAGS ()
* FLAGS x
* LIST (\HasNoChildren) "/" INBOX
* LIST (\Noselect \HasChildren) "." "a \"b\" \\c"
* LSUB () NIL {5}^ab cd
* XLIST (\Inbox) "/" INBOX/a]b
* LIST (\x) "/" 
* LIST () "/" foo[bar]
* STATUS INBOX (MESSAGES 3 UIDNEXT 5 UNSEEN 0)
* STATUS "a b" (MESSAGES 3) 
* STATUS {3}^abc (UIDVALIDITY 1)
* STATUS x ()
* SEARCH 1 2 3
* SEARCH
* SEARCH 
* SEARCH 1 5 (MODSEQ 917162500)
* SORT 3 2 1
* SORT
* THREAD (1)(2 3)(4 (5)(6 7))
* THREAD (1 2)(3)
* THREAD ((1)(2))
* THREAD
* CAPABILITY IMAP4rev1 IDLE Literal+ 
* CAPABILITY imap4rev1 X[A
* ID NIL
* ID ("name" "x" "version" NIL)
* ID ( "a" "b" )
* NAMESPACE (("" "/")) NIL NIL
* QUOTA "" (STORAGE 10 512)
* QUOTA x ()
* QUOTAROOT INBOX "" a
* QUOTAROOT INBOX
* ACL INBOX fred rwipslda bob lrs
* ACL INBOX
* NOOP foo bar
* FOO some text
* FOO
* ENABLED X
* 
*
foo
* 1 FETCH (UID 5 FLAGS (\Seen))
* 1 FETCH (UID 5 FLAGS (\Seen) MODSEQ (12345))
* 1 FETCH (RFC822.SIZE 44 INTERNALDATE "17-Jul-1996 02:44:25 -0700")
* 1 FETCH (RFC822 {10}^ab^\xff\x00)(x UID 1)
* 1 FETCH (RFC822[] "x" RFC822.HEADER NIL RFC822.TEXT {0}^)
* 1 FETCH (BODY[] {4}^a"b\)
* 1 FETCH (BODY[HEADER.FIELDS (DATE FROM "a b")] {2}^xx BODY[TEXT]<0> "y" BODY[1.2.MIME] NIL BODY[1] "z")
* 1 FETCH (BODY[HEADER.FIELDS.NOT (X "") ] "y")
* 1 FETCH (BODY[1]<10>{3}^abc)
* 1 FETCH (ENVELOPE ("Wed, 17 Jul 1996" "Re: \"x\"" (("Terry Gray" NIL "gray" "cac.washington.edu")) (("a" NIL "b" "c")) NIL ((NIL NIL "imap" "x") (NIL NIL "m" "y")) NIL NIL "<a@b>" "<B@c>"))
* 1 FETCH (ENVELOPE (NIL {3}^a"b (({2}^\xc3\xbc NIL "x" "y")) NIL NIL NIL NIL NIL NIL NIL) UID 3)
* 1 FETCH (ENVELOPE NIL)
* 1 FETCH (BODY ("TEXT" "PLAIN" ("CHARSET" "US-ASCII") NIL NIL "7BIT" 3028 92))
* 1 FETCH (BODYSTRUCTURE ("text" "plain" NIL "<id>" "desc" "7bit" 3 9 "md5" ("attachment" ("filename" "a.txt")) ("en" "de") "loc" (1 "x" (NIL 2))))
* 1 FETCH (BODYSTRUCTURE (("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "QUOTED-PRINTABLE" 12 1 NIL NIL NIL)("TEXT" "HTML" NIL NIL NIL "BASE64" 3 1 NIL ("inline" NIL) "en") "ALTERNATIVE" ("BOUNDARY" "x") NIL NIL NIL))
* 1 FETCH (BODY (("IMAGE" "GIF" NIL NIL NIL "BASE64" 2)(("TEXT" "PLAIN" NIL NIL NIL "7BIT" 2 3) "RELATED") "MIXED"))
* 1 FETCH (BODY ("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 2 (NIL "s" NIL NIL NIL NIL NIL NIL NIL NIL) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 2 3) 4))
* 1 FETCH (BODY ("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 2))
* 1 FETCH (BODY ("MESSAGE" "DELIVERY-STATUS" NIL NIL NIL "7BIT" 2))
* 1 FETCH (BODY ("ATTACHMENT" ("a" "b")))
* 1 FETCH (BODY ("MIXED" ("a" "b") NIL))
* 1 FETCH (BODY ("APPLICATION"))
* 1 FETCH (BODY ("APPLICATION" "X"))
* 1 FETCH (BODY NIL UID 4)
* 1 FETCH (BODY ("TEXT" "PLAIN"))
* 1 FETCH (X-FOO 3)
* 1 FETCH (UID x)
* 1 FETCH (UID NIL)
* 1 FETCH UID
* 1 FETCH ()
* 1 FETCH (UID 5
* LIST x
* 5
* OK [UIDNEXT x] foo
RUBY0001 YES x y
* OK \xc3\xbc
* STATUS INBOX (MESSAGES x)
