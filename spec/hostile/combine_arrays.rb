# NoMemoryError
a = [0] * 2_000_000; b = []; 100.times { b << a + a }
