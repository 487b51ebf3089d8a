#include <zephyr/dt-bindings/pwm/pwm.h>

&pwm0 { status = "okay"; };

&i2c1 {
	clock-frequency = <400000>;
	status = "okay";

	pressure: sensor@5c {
		reg = <0x5C>;
		compatible = "st,lps22hb-press";
		irq-gpios = <&gpio0 0xb 0x0>;
		status = "okay";
	};
};

&uart0 { status = "disabled"; };
&uart1 { current-speed = <115200>; status = "okay"; };

/ {
	keys {
		compatible = "gpio-keys";
		key: dose { label = "Dose"; gpios = <&gpio0 25 ((1 << 0) | (1 << 4))>; };
	};

	leds {
		compatible = "pwm-leds";
		dimmer: dimmer { pwms = <&pwm0 2 (20 * 1000 * 1000) PWM_POLARITY_INVERTED>; };
	};

	chosen { zephyr,console = "/soc/uart@40003000"; };

	aliases {
		sw0 = "/keys/dose";
		pwm-led0 = &dimmer;
		pressure0 = &pressure;
	};
};
