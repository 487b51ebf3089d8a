#include <stdio.h>

int main(void)
{
	FILE *configuration = fopen("/etc/leveld.conf", "r");

	if (configuration == NULL)
		return 1;
	fclose(configuration);
	puts("leveld is ready");
	return 0;
}
