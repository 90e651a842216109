# No text has a surrogate; what is of no script is unassigned or for private use.
p(/\p{Cs}/.match?("a"), /\p{^Cs}/.match?("a"), /\P{Surrogate}/.match?("b"), /[\p{Cs}a]/.match?("a"), /\p{Cs}/ =~ "\u{10ffff}\ue000")
%w{Unknown Zzzz}.each { |name| p ["a", "\ue000", "\u0378", "\u{10fffd}", "é"].map { |text| text.match?(/\p{#{name}}/) } }
