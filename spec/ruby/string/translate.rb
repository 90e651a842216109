def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"hello".tr("el","ip")}
t{"hello".tr("a-y","b-z")}
t{"hello".tr("^l","*")}
t{"hello".tr("lo","")}
t{"aabbcc".tr_s("ab","x")}
t{"hello".delete("l","lo")}
t{"hello".squeeze}
t{"mississippi".squeeze("sp")}
t{"hello".count("lo").to_s}
t{"he-llo".tr("-","_")}
t{"a\\b".tr("\\","/")}
t{"hello".tr!("x","y")}
t{"hello".squeeze!("x")}
t{"hello".delete!("x")}
t{"ab^c".tr("^","x")}
t{"hello".tr("a-ej-m","X")}
