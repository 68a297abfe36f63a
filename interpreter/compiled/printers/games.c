/* Plays games `first` .. of a seed into `results`: how many there are before one is given up. */
int32_t gw_batch(uint64_t of, int64_t first, int32_t games, int32_t most, uint8_t *results) {
    static volatile int32_t done;
    seed = of;
    kept = results;
    done = 0;
    if (setjmp(out)) return done;
    for (; done < games; done++) f_play(first + done, most);
    return done;
}

/* Plays the state at hand to its end again and again, with the chance of games `first` .. */
int32_t gw_rolls(uint64_t of, int64_t first, int32_t games, int32_t most, uint8_t *results) {
    static volatile int32_t done;
    static uint8_t rolled[STATE];
    seed = of;
    kept = results;
    done = 0;
    memcpy(rolled, s, STATE);
    if (setjmp(out)) return done;
    for (; done < games; done++) {
        memcpy(s, rolled, STATE);
        restart(first + done);
        f_roll(f_resume(), most);
        keep(record());
    }
    return done;
}

#ifdef MAIN
/* SEED GAMES: plays that many games and writes state and record of each. */
int main(int count, char **words) {
    if (count != 3) return 2;
    int32_t games = atoi(words[2]);
    uint8_t *results = malloc((size_t)games * (STATE + RECORD));
    if (!results) return 3;
    A_work[0] = INT64_C(1) << 62;
    int32_t done = gw_batch(strtoull(words[1], NULL, 10), 0, games, 1 << 20, results);
    fwrite(results, STATE + RECORD, (size_t)done, stdout);
    if (done < games) fprintf(stderr, "game %d: %s\n", done, gw_reason());
    return done < games;
}
#endif
