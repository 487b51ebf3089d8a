menuconfig TANK_LEVEL
	bool "Tank level sensor"
	depends on ADC
	select RING_BUFFER
	help
	  Driver of a level sensor that is read through an ADC channel.

if TANK_LEVEL

config TANK_LEVEL_PERIOD_MS
	int "Time between two samples in ms"
	range 10 60000
	default 10000 if BATTERY_POWERED
	default 1000

choice TANK_LEVEL_FILTER
	prompt "Filter of the samples"
	default TANK_LEVEL_FILTER_AVERAGE

config TANK_LEVEL_FILTER_NONE
	bool "None"

config TANK_LEVEL_FILTER_AVERAGE
	bool "Moving average"

config TANK_LEVEL_FILTER_MEDIAN
	bool "Median"

endchoice

config TANK_LEVEL_WINDOW
	int "Samples in the window of the filter"
	depends on !TANK_LEVEL_FILTER_NONE
	range 2 16
	default 4

config TANK_LEVEL_OWN_THREAD
	bool "Read in a thread of its own"
	depends on MULTITHREADING
	default y

config TANK_LEVEL_STACK_SIZE
	int "Stack of that thread in bytes"
	depends on TANK_LEVEL_OWN_THREAD
	default 1024

config TANK_LEVEL_LOG_LEVEL
	int
	default 4 if DEBUG_BUILD
	default 2

endif # TANK_LEVEL
