SUMMARY = "levelctl talks to the level daemon"
HOMEPAGE = "https://example.org/levelctl"
LICENSE = "Apache-2.0"
LIC_FILES_CHKSUM = "file://${S}/COPYING;md5=3b83ef96387f14655fc854ddc3c6bd57"

SRC_URI = "https://example.org/releases/${BP}.tar.gz;name=archive"
SRC_URI[archive.sha256sum] = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

S = "${WORKDIR}/${BPN}-${PV}"

DEPENDS += "zlib"
CFLAGS:append:panel = " -DPANEL"
EXTRA_OEMAKE = "'PREFIX=${prefix}' 'SYSCONFDIR=${sysconfdir}'"

do_compile() {
	oe_runmake
}

do_install() {
	oe_runmake 'DESTDIR=${D}' install
	ln -sf ${bindir}/levelctl ${D}${bindir}/lvl
}

PACKAGES:prepend = "${PN}-scripts "
FILES:${PN}-scripts += "${datadir}/${BPN}/scripts/*"
RDEPENDS:${PN}-scripts = "${PN} bash"
CONFFILES:${PN} = "/etc/levelctl.conf"
