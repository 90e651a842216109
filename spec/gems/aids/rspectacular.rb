# Matchers and settings of the gem rspectacular: none that the suites need.
