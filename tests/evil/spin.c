/* Use CPU time without end. */
int main(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}
