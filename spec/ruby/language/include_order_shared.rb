# A module that several included modules include keeps the place that the first of them gave it.
module Shared; def who = [:shared]; end
module Counting; end
module Listing; include Shared; include Counting; def who = [:listing, *super]; end
module Lasting; end
module Asking; include Shared; def who = [:asking, *super]; end
class Data1; include Listing; include Lasting; include Asking; end
class Data2; include Asking; include Listing; end
class Data3; include Asking, Listing; end
class Data4; include Shared; include Listing; include Asking; end
class Data5 < Data1; include Counting; include Asking; end
module Changing; include Lasting; include Listing; end
module Both; include Asking; include Changing; include Shared; end
class Data6; include Both; include Changing; end
class Data7; prepend Listing; prepend Asking; end
[Data1, Data2, Data3, Data4, Data5, Data6, Data7].each { |data| p data.ancestors - Object.ancestors, data.new.who }
p Changing.ancestors, Both.ancestors
object = Object.new.extend(Asking, Listing)
p object.singleton_class.ancestors - Object.ancestors - [object.singleton_class], object.who
module Later; def who = [:later, *super]; end
module Asking; include Later; end
p Data1.ancestors - Object.ancestors, Data1.new.who
