# Sizes of are-we-fast-yet's programs that these can verify: some tenths of a second to some seconds on MRI.
SIZES = {
  "Bounce" => 200, "List" => 200, "Permute" => 150, "Queens" => 200, "Sieve" => 200, "Storage" => 100, "Towers" => 100, "Richards" => 6,
  "DeltaBlue" => 1500, "Json" => 15, "CD" => 100, "Havlak" => 1, "Mandelbrot" => 500, "NBody" => 250_000
}.freeze
