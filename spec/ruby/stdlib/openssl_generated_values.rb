# `ASN1:` in an extension's value describes the bytes: modifiers, a type and its content, with sections of the configuration for lists.
require "openssl"
config = OpenSSL::Config.parse(<<~TEXT)
  [dir_seq]
  seq = EXPLICIT:4,SEQUENCE:dir_seq_seq

  [dir_seq_seq]
  set = SET:dir_set

  [dir_set]
  seq.1 = SEQUENCE:second
  seq.2 = SEQUENCE:first

  [first]
  oid=OID:2.23.133.2.1
  str=UTF8:"id:4E544300"

  [second]
  oid=OID:commonName
  str=PRINTABLESTRING:two, three
TEXT
factory = OpenSSL::X509::ExtensionFactory.new
factory.config = config
name = factory.create_extension("subjectAltName", "ASN1:SEQUENCE:dir_seq", true)
puts name.to_der.unpack1("H*"), name.critical?, name.oid
[
  "UTF8String:plain", "IA5:a,b", "INT:300", "INTEGER:-2", "BOOL:TRUE", "BOOLEAN:no", "NULL", "OID:1.2.840.113549", "ENUM:3", "OCT:abc", "FORMAT:HEX,OCT:01ff",
  "FORMAT:HEX,BITSTR:80", "FORMAT:BITLIST,BITSTRING:1,5", "BITSTR:ab", "BMP:ab", "UNIV:a", "EXP:2,UTF8:x", "IMP:3,OCT:x", "EXPLICIT:1A,IMPLICIT:5P,INT:9",
  "OCTWRAP,INT:1", "SEQWRAP,BOOL:true", "SETWRAP,NULL", "BITWRAP,INT:7", "SEQUENCE", "UTCTIME:200101000000Z", "GENTIME:20200101000000Z", "T61:z", "VISIBLE:v",
  "NUMERIC:12", "IMPLICIT:0,SEQUENCE:first"
].each { |text| puts "#{text} #{factory.create_extension("nsComment", "ASN1:#{text}").value_der.unpack1("H*")}" }
["SEQUENCE:none", "NOTHING:1", "BOOL:maybe", "EXP:x,NULL"].each do |text|
  factory.create_extension("nsComment", "ASN1:#{text}")
  puts "#{text} made"
rescue OpenSSL::X509::ExtensionError
  puts "#{text} refused"
end
puts factory.create_extension("basicConstraints", "DER:30030101ff").value
