# What runs is not measured here.
