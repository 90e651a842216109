# What hashr has is not asked for.
