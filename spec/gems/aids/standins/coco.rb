# Coverage that is not measured.
