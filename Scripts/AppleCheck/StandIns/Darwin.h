/* The parts of Apple's C library that the modules use, with Darwin's types and values, from Apple's manual pages. */
typedef int pid_t;
typedef unsigned short mode_t, in_port_t;
typedef unsigned int socklen_t, in_addr_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef long long off_t;
typedef unsigned char sa_family_t;

int close(int), fsync(int), ftruncate(int, off_t), flock(int, int), unlink(const char *);
int mkdir(const char *, mode_t), rename(const char *, const char *), sched_yield(void), atexit(void (*)(void));
ssize_t write(int, const void *, size_t), pwrite(int, const void *, size_t, off_t);
int isatty(int);
void _exit(int) __attribute__((noreturn));
pid_t getpid(void);
long sysconf(int);
int setenv(const char *, const char *, int);
char *strerror(int);
typedef unsigned long pthread_key_t;
int pthread_key_create(pthread_key_t *, void (*)(void *)), pthread_setspecific(pthread_key_t, const void *);
void *pthread_getspecific(pthread_key_t);
struct stat { int st_dev; mode_t st_mode; unsigned short st_nlink; unsigned long long st_ino; off_t st_size; };
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
int stat(const char *, struct stat *);

#define STDOUT_FILENO 1
#define EXIT_FAILURE 1
#define _SC_NPROCESSORS_ONLN 58
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define F_FULLFSYNC 51
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NOFOLLOW 0x100
#define O_APPEND 0x8
#define O_CREAT 0x200
#define O_EXCL 0x800
#define O_TRUNC 0x400
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EEXIST 17
#define EINVAL 22
#define ENOTTY 25
#define EWOULDBLOCK 35
#define ENOTSUP 45
#define ECONNABORTED 53

struct in_addr { in_addr_t s_addr; };
struct sockaddr { unsigned char sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_in {
    unsigned char sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8];
};
int socket(int, int, int), listen(int, int), shutdown(int, int);
int accept(int, struct sockaddr *, socklen_t *), getsockname(int, struct sockaddr *, socklen_t *);
int bind(int, const struct sockaddr *, socklen_t), setsockopt(int, int, int, const void *, socklen_t);
struct timeval { long tv_sec; int tv_usec; };
ssize_t recv(int, void *, size_t, int), send(int, const void *, size_t, int);
#define SOCK_STREAM 1
#define AF_INET 2
#define SHUT_RDWR 2
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_NOSIGPIPE 0x1022
