/* What the two harnesses share: the script, the plant, the frames that are due, and the trace. One run at a time. */
#ifndef PLANT_H
#define PLANT_H

#define TICK_MS 100

/* Milliseconds of virtual time; whether the run is over. */
extern int now, done;
extern int steps, phase;

/* Begin a run: nothing sent, tick 0 still to come. */
void plant_begin(void);

/* Let the next tick of 100 ms happen at its time; return whether the firmware was started anew in it. */
int plant_tick(void);
int plant_next_tick_ms(void);

/* The next frame due by `now`, or NULL; and take it. */
const char *plant_due(void);
const char *plant_take(void);

/* Bytes that the firmware wrote at `now`. */
void plant_hear(const char *bytes, int count);

void trace(int at, const char *kind, const char *text);

/* Start and stop the program that is the firmware, with pipes for its standard input and output. */
extern int firmware_pid, to, from;
void firmware_start(void);
void firmware_stop(void);

/* Play one run to its end and say how it ended: what a harness provides. */
const char *play(void);

/* Read the script from standard input and play every run in it. `cpu_s` bounds each start of `argv`. */
int plant_main(int cpu_s, char *const argv[]);

#endif
