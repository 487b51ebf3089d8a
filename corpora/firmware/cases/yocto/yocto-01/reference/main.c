SUMMARY = "Daemon that watches the level of a tank"
LICENSE = "MIT"
LIC_FILES_CHKSUM = "file://${COMMON_LICENSE_DIR}/MIT;md5=0835ade698e0bcf8506ecda2f7b4f302"

SRC_URI = "file://leveld.c \
           file://leveld.service \
           file://leveld.conf \
          "

S = "${WORKDIR}"

inherit systemd

SYSTEMD_SERVICE:${PN} = "leveld.service"
SYSTEMD_AUTO_ENABLE = "enable"

do_compile() {
    ${CC} ${CFLAGS} ${LDFLAGS} ${S}/leveld.c -o leveld
}

do_install() {
    install -d ${D}${bindir}
    install -m 0755 leveld ${D}${bindir}/leveld

    install -d ${D}${systemd_system_unitdir}
    install -m 0644 ${S}/leveld.service ${D}${systemd_system_unitdir}/leveld.service

    install -d ${D}${sysconfdir}
    install -m 0644 ${S}/leveld.conf ${D}${sysconfdir}/leveld.conf
}

CONFFILES:${PN} = "${sysconfdir}/leveld.conf"

RDEPENDS:${PN} = "libgcc bash"
