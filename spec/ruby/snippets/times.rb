# Time: building, formats, arithmetic.
require "time"
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
tt = ["Time.at(0).utc","Time.utc(2024,2,29,12,30,45.5)","Time.new(2020,1,31,0,0,0,'+09:00')","Time.at(1700000000, 123456, :usec).utc","Time.gm(2000)","Time.new(2021,12,31,23,59,59,'-03:30')"]
tm = %w[to_s inspect to_a year month day hour min sec usec nsec wday yday zone utc? dst? utc_offset to_i to_f to_r monday? sunday? iso8601 xmlschema httpdate round ceil floor hash.class succ ctime asctime gmtime getutc localtime('+02:00') getlocal('-05:00') utc gmtoff]
tm += ["strftime('%Y-%m-%d %H:%M:%S.%L %z')","strftime('%a %A %b %B %c %d %e %j %k %l %p %P %s %u %w %y %C %D %F %T %R %r %x %X %Z %::z %:z %%')","strftime('%-d %-m %03d %+5Y %10N %3N %6N %9N %^a %^B %#p %_H %012Y')","strftime('%G-W%V-%u %U %W %h %n %t %I %M %S %E %O %Q')","+ 60","- 86400","- Time.at(0)","<=> Time.at(5)","+ 0.5","+ nil","+ Time.now","- 'a'","== 1","eql?(Time.at(0))","round(3)","between?(Time.at(0),Time.at(2**40))","to_date","deconstruct_keys([:year])","step(1)","+ 1r/3"]
tt.each { |t| tm.each { |m| add.call "(#{t})#{m =~ /^[-+<=]/ ? ' ' : '.'}#{m}" } }
["2024","2024,13","2024,1,32","2024,2,30","2024,1,1,25","2024,1,1,0,60","2024,1,1,0,0,61","'2024'","2024,'jan',1","2024,'foo'","nil","2024,1,1,0,0,0,'Z'","2024,1,1,0,0,0,'+25:00'","2024,1,1,0,0,0,3600","2024,1,1,in: '+01:00'","'2024-01-02 03:04:05'","2024,1,1,24","2024,1,1,0,0,0,'UTC'","2024,1,1,0,0,0,'A'","-1","99999","2024,1,1,0,0,1.5","2024,0","2024,1,0"].each { |a| add.call "Time.new(#{a}).utc.to_a"; add.call "Time.utc(#{a}).inspect"; add.call "Time.gm(#{a}).to_s"; add.call "Time.new(#{a}).utc_offset" }
Combine.expressions(snippets)
