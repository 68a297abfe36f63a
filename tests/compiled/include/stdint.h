/* What the printed C needs of the standard headers, for a compiler that comes without any. */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT64_C(value) value##LL
#define UINT64_C(value) value##ULL
#define INT64_MIN (-INT64_C(9223372036854775807) - 1)
#define UINT32_MAX 0xFFFFFFFFU
