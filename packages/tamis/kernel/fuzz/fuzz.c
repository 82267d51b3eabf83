/* Sends random pages through the kernel: `fuzz COUNT SEED [CORPUS]`.
 *
 * COUNT inputs with the seeds from SEED on. The kernel is compiled with sanitizers, which end the program where it reads
 * or writes outside of its memory or does what C leaves undefined. `fuzz 1 SEED` repeats one input. CORPUS is what
 * corpus.py writes: some inputs are then real pages, most of them damaged.
 */
#define _DEFAULT_SOURCE /* for what C itself has not: clocks, processes */
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

/* No input is larger than some thousand elements, and sanitizers make all of it several times slower. */
#define MOST_SECONDS 1.0

/* What both processes see. */
typedef struct {
    uint64_t seed; /* of the present input */
    uint64_t accepted, refused;
    uint64_t answers; /* a checksum of all */
    uint64_t slowest;
    double seconds; /* that the slowest took */
} progress;

/* Options of AddressSanitizer, by the name that it looks for. */
const char *__asan_default_options(void) {
    return "detect_leaks=0:"       /* the kernel allocates nothing */
           "quarantine_size_mb=8:" /* memory is reused soon, and stays in the cache */
           "detect_stack_use_after_return=1";
}

static double seconds_of_process(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void try(uint64_t seed, progress *now) {
    set_seed(seed);
    input some = has_corpus() && one_in(3) ? page_of_corpus() : random_page();
    if (one_in(3)) damage(&some);
    double begin = seconds_of_process();
    if (judge(&some, &now->answers)) now->accepted++;
    else now->refused++;
    double seconds = seconds_of_process() - begin;
    if (seconds > now->seconds) {
        now->seconds = seconds;
        now->slowest = seed;
    }
    REQUIRE(seconds < MOST_SECONDS, "it took %.2f s", seconds);
    if (one_in(4)) try_guard(&some);
    if (one_in(20)) try_weights();
    forget(&some);
}

int main(int count, char **arguments) {
    if (count < 3 || count > 4) {
        fprintf(stderr, "usage: %s COUNT SEED [CORPUS]\n", arguments[0]);
        return 2;
    }
    uint64_t inputs = strtoull(arguments[1], NULL, 10), seed = strtoull(arguments[2], NULL, 10);
    if (count > 3) read_corpus(arguments[3]);
    progress *now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(now != MAP_FAILED, "no memory");
    now->seed = seed;
    /* In a process of its own, so that whatever ends it, the seed can be told. */
    pid_t child = fork();
    if (!child) {
        if (inputs > 1) check_folds();
        for (; now->seed < seed + inputs; now->seed++) try(now->seed, now);
        return 0;
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("%ju inputs: %ju pages labelled, %ju refused; answers %jx; the slowest took %.3f s (seed %ju)\n",
           (uintmax_t)(now->seed - seed), (uintmax_t)now->accepted, (uintmax_t)now->refused, (uintmax_t)now->answers,
           now->seconds, (uintmax_t)now->slowest);
    if (status) fprintf(stderr, "found by the seed %ju: repeat it with %s 1 %ju%s%s\n", (uintmax_t)now->seed, arguments[0],
                        (uintmax_t)now->seed, count > 3 ? " " : "", count > 3 ? arguments[3] : "");
    return status != 0;
}
