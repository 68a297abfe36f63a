void *memcpy(void *, const void *, unsigned long long);
