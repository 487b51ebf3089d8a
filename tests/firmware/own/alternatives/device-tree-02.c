/dts-v1/;
/plugin/;

/ {
	fragment@0 {
		target = <&i2c1>;

		__overlay__ {
			#address-cells = <1>;
			#size-cells = <0>;
			clock-frequency = <100000>;
			pinctrl-0 = <&i2c1_pins>;
			pinctrl-names = "default";
			status = "okay";

			io: gpio-expander@21 {
				compatible = "nxp,pca9555";
				reg = <0x21>;
				vcc-supply = <&vcc_3v3>;
				interrupts-extended = <&gpio 17 8>;
				interrupt-controller;
				#interrupt-cells = <2>;
				gpio-controller;
				#gpio-cells = <2>;
			};
		};
	};

	fragment@1 {
		target-path = "/";

		__overlay__ {
			keys {
				compatible = "gpio-keys";

				power {
					linux,code = <116>;
					gpios = <&io 4 1>;
					debounce-interval = <20>;
				};

				enter {
					linux,code = <28>;
					gpios = <&io 3 1>;
					debounce-interval = <20>;
					wakeup-source;
				};
			};
		};
	};
};
