# A daemon, without a build system of its own.
DESCRIPTION = "Watches a tank."
SUMMARY = "Tank level daemon"
LICENSE = "MIT"
LIC_FILES_CHKSUM = "file://${COREBASE}/meta/files/common-licenses/MIT;md5=0835ade698e0bcf8506ecda2f7b4f302"

inherit systemd features_check
REQUIRED_DISTRO_FEATURES = "systemd"

SRC_URI = "file://leveld.c"
SRC_URI += "file://leveld.service"
SRC_URI:append = " file://leveld.conf"

S = "${UNPACKDIR}"

SYSTEMD_PACKAGES = "${PN}"
SYSTEMD_SERVICE:${PN} = "leveld.service"

do_compile () {
	${CC} ${CFLAGS} -c leveld.c -o leveld.o
	${CC} ${LDFLAGS} leveld.o -o leveld
}

do_install () {
	install -d ${D}${bindir} ${D}${sysconfdir} ${D}${systemd_system_unitdir}
	install -m 755 ${B}/leveld ${D}${bindir}
	install -m 644 leveld.conf ${D}${sysconfdir}/
}

do_install:append () {
	install -m 644 leveld.service ${D}${systemd_system_unitdir}/
}

FILES:${PN} += "${systemd_system_unitdir}/leveld.service"
CONFFILES:${PN} += "${sysconfdir}/leveld.conf"
RDEPENDS:${PN} += "bash libgcc"
