# ok
"a".tr("a-z", "b")
