require 'aws-sdk-s3'
