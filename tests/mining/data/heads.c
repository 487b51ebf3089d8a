#if POSIX
void *take(size_t size)
#else
void *LOS_take(unsigned int size)
#endif
{
    void *block = pool_get(size);
    return block;
}

int open_port(int number
#if WITH_FLAGS
              , int flags
#endif
              )
{
    int made = port_make(number);
    return made;
}

#ifdef FAST
static int pace(void) { return 10; }
#else
static int pace(void) { return 1; }
#endif
