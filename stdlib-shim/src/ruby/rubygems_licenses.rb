# The short names of licenses that SPDX has given, with those of exceptions to them: a gem names its licenses by these.
require "rubygems/remote_fetcher"

module Gem
  class Licenses
    extend Text

    NONSTANDARD = "Nonstandard"
    LICENSE_REF = "LicenseRef-.+"

    # `A-{1,2}` is short for `A-1` and `A-2`.
    names = lambda do |words|
      words.flat_map { |word| (parts = word.match(/\{(.*)\}/)) ? parts[1].split(",").map { |part| parts.pre_match + part } : word }.sort.freeze
    end

    LICENSE_IDENTIFIERS = names[%w[
      0BSD AAL Abstyles Adobe-{2006,Glyph} ADSL AFL-{1.1,1.2,2.0,2.1,3.0} Afmparse AGPL-1.0-only AGPL-1.0-or-later AGPL-3.0-only AGPL-3.0-or-later
      AGPL-{1.0,3.0} Aladdin AMDPLPA AML AMPAS ANTLR-PD ANTLR-PD-fallback Apache-{1.0,1.1,2.0} APAFML APL-1.0 APSL-{1.0,1.1,1.2,2.0}
      Artistic-1.0-{Perl,cl8} Artistic-{1.0,2.0} Bahyph Barr Beerware BitTorrent-{1.0,1.1} blessing BlueOak-1.0.0 Borceux BSD-1-Clause BSD-2-Clause
      BSD-2-Clause-{FreeBSD,NetBSD,Patent,Views} BSD-3-Clause BSD-3-Clause-No-Military-License BSD-3-Clause-No-Nuclear-License-2014
      BSD-3-Clause-No-Nuclear-{License,Warranty} BSD-3-Clause-Open-MPI BSD-3-Clause-{Attribution,Clear,LBNL,Modification} BSD-4-Clause
      BSD-4-Clause-{Shortened,UC} BSD-Protection BSD-Source-Code BSL-1.0 BUSL-1.1 bzip2-{1.0.5,1.0.6} C-UDA-1.0 CAL-1.0
      CAL-1.0-Combined-Work-Exception Caldera CATOSL-1.1 CC-BY-3.0-{AT,US} CC-BY-NC-ND-3.0-IGO CC-BY-NC-ND-{1.0,2.0,2.5,3.0,4.0}
      CC-BY-NC-SA-{1.0,2.0,2.5,3.0,4.0} CC-BY-NC-{1.0,2.0,2.5,3.0,4.0} CC-BY-ND-{1.0,2.0,2.5,3.0,4.0} CC-BY-SA-2.0-UK CC-BY-SA-2.1-JP
      CC-BY-SA-3.0-AT CC-BY-SA-{1.0,2.0,2.5,3.0,4.0} CC-BY-{1.0,2.0,2.5,3.0,4.0} CC-PDDC CC0-1.0 CDDL-{1.0,1.1} CDL-1.0 CDLA-Permissive-1.0
      CDLA-Sharing-1.0 CECILL-{1.0,1.1,2.0,2.1,B,C} CERN-OHL-P-2.0 CERN-OHL-S-2.0 CERN-OHL-W-2.0 CERN-OHL-{1.1,1.2} ClArtistic
      CNRI-Python-GPL-Compatible CNRI-{Jython,Python} Condor-1.1 copyleft-next-{0.3.0,0.3.1} CPAL-1.0 CPL-1.0 CPOL-1.02 Crossword CrystalStacker
      CUA-OPL-1.0 Cube curl D-FSL-1.0 diffmark DOC Dotseqn DRL-1.0 DSDP dvipdfm ECL-{1.0,2.0} eCos-2.0 EFL-{1.0,2.0} eGenix Entessa EPICS
      EPL-{1.0,2.0} ErlPL-1.1 etalab-2.0 EUDatagrid EUPL-{1.0,1.1,1.2} Eurosym Fair Frameworx-1.0 FreeBSD-DOC FreeImage FSFAP FSFUL FSFULLR FTL GD
      GFDL-1.1-invariants-only GFDL-1.1-invariants-or-later GFDL-1.1-no-invariants-only GFDL-1.1-no-invariants-or-later GFDL-1.1-only
      GFDL-1.1-or-later GFDL-1.2-invariants-only GFDL-1.2-invariants-or-later GFDL-1.2-no-invariants-only GFDL-1.2-no-invariants-or-later
      GFDL-1.2-only GFDL-1.2-or-later GFDL-1.3-invariants-only GFDL-1.3-invariants-or-later GFDL-1.3-no-invariants-only
      GFDL-1.3-no-invariants-or-later GFDL-1.3-only GFDL-1.3-or-later GFDL-{1.1,1.2,1.3} Giftware GL2PS Glide Glulxe GLWTPL gnuplot GPL-1.0-only
      GPL-1.0-or-later GPL-2.0-only GPL-2.0-or-later GPL-2.0-with-autoconf-exception GPL-2.0-with-bison-exception GPL-2.0-with-classpath-exception
      GPL-2.0-with-font-exception GPL-2.0-with-GCC-exception GPL-3.0-only GPL-3.0-or-later GPL-3.0-with-autoconf-exception
      GPL-3.0-with-GCC-exception GPL-{1.0,1.0+,2.0,2.0+,3.0,3.0+} gSOAP-1.3b HaskellReport Hippocratic-2.1 HPND HPND-sell-variant HTMLTIDY IBM-pibs
      ICU IJG ImageMagick iMatix Imlib2 Info-ZIP Intel Intel-ACPI Interbase-1.0 IPA IPL-1.0 ISC JasPer-2.0 JPNIC JSON LAL-{1.2,1.3} Latex2e
      Leptonica LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later LGPL-{2.0,2.0+,2.1,2.1+,3.0,3.0+}
      LGPLLR Libpng libpng-2.0 libselinux-1.0 libtiff LiLiQ-P-1.1 LiLiQ-R-1.1 LiLiQ-Rplus-1.1 Linux-OpenIB LPL-{1.0,1.02}
      LPPL-{1.0,1.1,1.2,1.3a,1.3c} MakeIndex MirOS MIT-Modern-Variant MIT-open-group MIT MIT-{0,CMU,advertising,enna,feh} MITNFA Motosoto mpich2
      MPL-2.0-no-copyleft-exception MPL-{1.0,1.1,2.0} MS-{PL,RL} MTLL MulanPSL-{1.0,2.0} Multics Mup NAIST-2003 NASA-1.3 Naumen NBPL-1.0
      NCGL-UK-2.0 NCSA Net-SNMP NetCDF Newsletr NGPL NIST-PD NIST-PD-fallback NLOD-1.0 NLPL Nokia NOSL Noweb NPL-{1.0,1.1} NPOSL-3.0 NRL
      NTP NTP-0 Nunit O-UDA-1.0 OCCT-PL OCLC-2.0 ODbL-1.0 ODC-By-1.0 OFL-1.0-no-RFN OFL-1.0-RFN OFL-1.1-no-RFN OFL-1.1-RFN OFL-{1.0,1.1} OGC-1.0
      OGDL-Taiwan-1.0 OGL-Canada-2.0 OGL-UK-{1.0,2.0,3.0} OGTSL OLDAP-{1.1,1.2,1.3,1.4,2.0,2.0.1,2.1,2.2,2.2.1,2.2.2,2.3,2.4,2.5,2.6,2.7,2.8} OML
      OpenSSL OPL-1.0 OSET-PL-2.1 OSL-{1.0,1.1,2.0,2.1,3.0} Parity-{6.0.0,7.0.0} PDDL-1.0 PHP-{3.0,3.01} Plexus PolyForm-Noncommercial-1.0.0
      PolyForm-Small-Business-1.0.0 PostgreSQL PSF-2.0 psfrag psutils Python-2.0 Qhull QPL-1.0 Rdisc RHeCos-1.1 RPL-{1.1,1.5} RPSL-1.0 RSA-MD RSCPL
      Ruby SAX-PD Saxpath SCEA Sendmail Sendmail-8.23 SGI-B-{1.0,1.1,2.0} SHL-{0.5,0.51} SimPL-2.0 SISSL SISSL-1.2 Sleepycat SMLNJ SMPPL SNIA
      Spencer-{86,94,99} SPL-1.0 SSH-{OpenSSH,short} SSPL-1.0 StandardML-NJ SugarCRM-1.1.3 SWL TAPR-OHL-1.0 TCL TCP-wrappers TMate TORQUE-1.1 TOSL
      TU-Berlin-{1.0,2.0} UCL-1.0 Unicode-DFS-{2015,2016} Unicode-TOU Unlicense UPL-1.0 Vim VOSTROM VSL-1.0 W3C W3C-{19980720,20150513} Watcom-1.0
      Wsuipa WTFPL wxWindows X11 Xerox XFree86-1.1 xinetd Xnet xpp XSkat YPL-{1.0,1.1} Zed Zend-2.0 Zimbra-{1.3,1.4} Zlib zlib-acknowledgement
      ZPL-{1.1,2.0,2.1}
    ]]
    EXCEPTION_IDENTIFIERS = names[%w[
      389-exception Autoconf-exception-{2.0,3.0} Bison-exception-2.2 Bootloader-exception Classpath-exception-2.0 CLISP-exception-2.0
      DigiRule-FOSS-exception eCos-exception-2.0 Fawkes-Runtime-exception FLTK-exception Font-exception-2.0 freertos-exception-2.0
      GCC-exception-{2.0,3.1} gnu-javamail-exception GPL-3.0-linking-exception GPL-3.0-linking-source-exception GPL-CC-1.0 i2p-gpl-java-exception
      LGPL-3.0-linking-exception Libtool-exception Linux-syscall-note LLVM-exception LZMA-exception mif-exception Nokia-Qt-exception-1.1
      OCaml-LGPL-linking-exception OCCT-exception-1.0 OpenJDK-assembly-exception-1.0 openvpn-openssl-exception PS-or-PDF-font-exception-20170817
      Qt-GPL-exception-1.0 Qt-LGPL-exception-1.1 Qwt-exception-1.0 SHL-{2.0,2.1} Swift-exception u-boot-exception-2.0 Universal-FOSS-exception-1.0
      WxWindows-exception-3.1
    ]]

    class << self
      # A name, also with `+` for later versions and with an exception; or one that tells that it is no such name.
      def match?(license)
        return true if license.match?(/\A(?:#{NONSTANDARD}|#{LICENSE_REF})\Z/o)
        name, exception = license.delete_suffix("\n").split(" WITH ", 2)
        known = LICENSE_IDENTIFIERS.include?(name) || LICENSE_IDENTIFIERS.include?(name.to_s.delete_suffix("+"))
        known && (exception.nil? || EXCEPTION_IDENTIFIERS.include?(exception))
      end

      # The names that are most like one.
      def suggestions(license)
        distance, names = LICENSE_IDENTIFIERS.group_by { |name| levenshtein_distance(name, license) }.min_by(&:first)
        names if distance < license.size
      end
    end
  end
end
