/* K&R definitions, as network stacks of the eighties have them. */
int add(a, b)
    int a, b;
{
    return a + b;
}

char *skip(text, set)
    register char *text;      /* where to begin */
    const char *set;
{
    while (*text && strchr(set, *text))
        text++;
    return text;
}

static void
note(who)
    struct user *who;
{
    if (who->quiet)
        return;
    print(who);
}
