SUMMARY = "Command line tool of the level daemon"
HOMEPAGE = "https://example.org/levelctl"
LICENSE = "Apache-2.0"
LIC_FILES_CHKSUM = "file://COPYING;md5=3b83ef96387f14655fc854ddc3c6bd57"

DEPENDS = "zlib"

SRC_URI = "https://example.org/releases/levelctl-${PV}.tar.gz"
SRC_URI[sha256sum] = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

CFLAGS:append:panel = " -DPANEL"

do_compile() {
    oe_runmake
}

do_install() {
    oe_runmake install DESTDIR=${D} PREFIX=${prefix} SYSCONFDIR=${sysconfdir}
    ln -s levelctl ${D}${bindir}/lvl
}

PACKAGES =+ "${PN}-scripts"
FILES:${PN}-scripts = "${datadir}/levelctl/scripts"
RDEPENDS:${PN}-scripts = "bash ${PN}"

CONFFILES:${PN} = "${sysconfdir}/levelctl.conf"
