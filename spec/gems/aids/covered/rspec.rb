# Nothing of the coverage report is needed.
