# Types that are not checked.
