# NoMemoryError
a = "x" * 50_000_000; b = []; 100.times { b << a.reverse }
