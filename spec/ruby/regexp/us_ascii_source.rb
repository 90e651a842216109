# -*- coding: us-ascii -*-
r = /[\x0-\xff]*/
p r.encoding, r.fixed_encoding?, r =~ "abc\xff".b, r =~ "abc"
p(/\xff/.encoding, /a/.encoding, /\u3042/.encoding)
