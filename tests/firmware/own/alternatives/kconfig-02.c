config TANK_LEVEL
	bool "Tank level through an ADC"
	default n
	depends on ADC
	select RING_BUFFER
	help
	  Say y for a tank whose level is read through an ADC.

config TANK_LEVEL_PERIOD_MS
	int
	prompt "Sampling period (ms)"
	default 10000 if BATTERY_POWERED
	default 1000 if !BATTERY_POWERED
	range 10 60000
	depends on TANK_LEVEL

choice
	prompt "Filter"
	depends on TANK_LEVEL
	default TANK_LEVEL_FILTER_AVERAGE

config TANK_LEVEL_FILTER_MEDIAN
	bool "Median filter"

config TANK_LEVEL_FILTER_NONE
	bool "No filter"

config TANK_LEVEL_FILTER_AVERAGE
	bool "Average filter"

endchoice

config TANK_LEVEL_WINDOW
	int "Window"
	default 4
	range 2 16
	depends on TANK_LEVEL && (TANK_LEVEL_FILTER_AVERAGE || TANK_LEVEL_FILTER_MEDIAN)

menu "Thread"
	depends on TANK_LEVEL

config TANK_LEVEL_OWN_THREAD
	def_bool y
	prompt "Own thread"
	depends on MULTITHREADING

config TANK_LEVEL_STACK_SIZE
	int "Stack size"
	default 1024
	depends on TANK_LEVEL_OWN_THREAD

endmenu

config TANK_LEVEL_LOG_LEVEL
	int
	depends on TANK_LEVEL
	default 4 if DEBUG_BUILD
	default 2
