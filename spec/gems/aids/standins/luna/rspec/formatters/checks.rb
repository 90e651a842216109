# A formatter of results, which are not shown here.
