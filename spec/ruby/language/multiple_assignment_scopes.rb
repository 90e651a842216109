# What is evaluated before the values of a multiple assignment: receivers and arguments, but not the scopes of constants.
def l(x); $log << x; x == :S ? String : x == :O ? ($o ||= Object.new) : x; end
$log = []; (((l(:S))::R1, a = l(1), (l(2); raise)) rescue 0); p $log
$log = []; (l(:S)::R2, l(:O).foo, l({})[l(3)] = l(1), l(2), l(4)) rescue p $!.class
p $log
$log = []; (l(:S)::R3, l(:O).nope, l(:S)::R4 = nil) rescue p $!.class
p $log
$log = []; (l(:S)::R5, (b, l(:S)::R6), *l(:S)::R7 = l(1), [l(2), l(3)], 4)
p $log, String::R5, String::R6, String::R7, b
