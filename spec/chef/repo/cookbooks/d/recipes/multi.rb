execute("d2") { command "false"; action :nothing }
file("@ROOT@/t/mm") { content Time.now.to_f.to_s; notifies :run, "execute[d2]" }
execute("boom") { command "exit 9" }
