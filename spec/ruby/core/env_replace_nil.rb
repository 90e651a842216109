# ENV.replace takes nil for a variable that is not to be there.
ENV["GONE"] = "1"
p ENV.replace("GONE" => nil, "KEPT" => "b").equal?(ENV)
p ENV.to_h
begin
  ENV.replace("KEPT" => 1)
rescue TypeError => error
  p error.message
end
p ENV.to_h
