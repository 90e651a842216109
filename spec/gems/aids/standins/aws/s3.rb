# No storage.
module AWS
  module S3
    class Base; end
    class Bucket; end
    class S3Object; end
  end
end
