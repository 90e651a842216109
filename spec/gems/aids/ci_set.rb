ENV["CI"] = "true"
