# Filters warnings of others; nothing is filtered.
