#include <zephyr/dt-bindings/gpio/gpio.h>
#include <zephyr/dt-bindings/i2c/i2c.h>
#include <zephyr/dt-bindings/pwm/pwm.h>

/ {
	chosen {
		zephyr,console = &uart1;
	};

	aliases {
		pressure0 = &lps22hb;
		sw0 = &dose_button;
		pwm-led0 = &lamp;
	};

	buttons {
		compatible = "gpio-keys";

		dose_button: button_0 {
			gpios = <&gpio0 25 (GPIO_PULL_UP | GPIO_ACTIVE_LOW)>;
			label = "Dose";
		};
	};

	pwmleds {
		compatible = "pwm-leds";

		lamp: pwm_led_0 {
			pwms = <&pwm0 2 PWM_MSEC(20) PWM_POLARITY_INVERTED>;
		};
	};
};

&uart0 {
	status = "disabled";
};

&uart1 {
	status = "okay";
	current-speed = <115200>;
};

&i2c1 {
	status = "okay";
	clock-frequency = <I2C_BITRATE_FAST>;

	lps22hb: lps22hb-press@5c {
		compatible = "st,lps22hb-press";
		reg = <0x5c>;
		irq-gpios = <&gpio0 11 GPIO_ACTIVE_HIGH>;
	};
};

&pwm0 {
	status = "okay";
};
