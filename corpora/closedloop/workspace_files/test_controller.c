#include "selftest.h"

/* A first test, true of any controller. Add a test for each sentence of TASK.md:
 *     controller_output_t output = at(100, "SENSE NAME 20");
 *     CHECK(output.on[ACTUATOR_NAME]); */
static void asking_twice_in_one_ms_gives_the_same(void)
{
    controller_output_t first = at(0, ""), second = at(0, "");
    for (int i = 0; i < ACTUATOR_COUNT; i++)
        CHECK(first.on[i] == second.on[i]);
}

int main(void)
{
    RUN(asking_twice_in_one_ms_gives_the_same);
    return RESULT;
}
