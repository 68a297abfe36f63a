/* Room for the buffer of any C library. */
typedef long long jmp_buf[128];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
