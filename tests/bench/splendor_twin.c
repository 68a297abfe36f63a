/* Splendor written by hand in C: the default rules of rulesets/splendor and nothing else.

   Moves are counted, one number is drawn, and that move is found; nothing is listed. The tables of
   cards and nobles are given at the start (`set_tables`). tests/bench/c_twin.py knows the same
   structures; tests/bench/checking.py compares states with those of the reference. */

#include <stdint.h>
#include <string.h>

enum { GEMS = 5, GOLD = 5, TOKENS = 6, LEVELS = 3, ROW = 4, CARDS = 90, NOBLES = 10, PLAYERS = 4 };
enum { MOST_TOKENS = 10, MOST_RESERVED = 3, ENOUGH_POINTS = 15, MOST_ROUNDS = 200 };
enum { ACT, RETURN, WELCOME, FINISHED, STALEMATE, CAPPED };
enum { TAKE_DIFFERENT, TAKE_PAIR, RESERVE, RESERVE_UNSEEN, BUY, RETURN_TOKENS, RECEIVE };
enum { OFFERS = LEVELS * ROW + MOST_RESERVED };

typedef struct { uint64_t key, tick; } Chance;
typedef struct { int8_t level, bonus, points, price[GEMS]; } Card;
typedef struct { int8_t points, demand[GEMS]; } Noble;
typedef struct { int32_t action, thing, tokens[TOKENS]; } Move;

typedef struct {
    int8_t tokens[TOKENS], bonuses[GEMS], points, bought, reserved, unseen, nobles;
    int8_t bought_cards[CARDS], reserved_cards[MOST_RESERVED], unseen_cards[MOST_RESERVED];
    int8_t noble_cards[PLAYERS + 1];
} Player;

typedef struct {
    Chance chance;
    int8_t players, first, active, last_round, idle, phase, court;
    int16_t rounds;
    int8_t bank[TOKENS], decks[LEVELS][CARDS], deck_size[LEVELS], rows[LEVELS][ROW];
    int8_t nobles[NOBLES];
    Player player[PLAYERS];
    /* The legal moves: how many there are of each sort, and how many payments of each card. */
    int32_t total, takes, pairs, reserves, blind, offers, ways[OFFERS];
    int8_t offered[OFFERS];
} Game;

static Card cards[CARDS];
static Noble nobles[NOBLES];

void set_tables(const Card *all_cards, const Noble *all_nobles) {
    memcpy(cards, all_cards, sizeof cards);
    memcpy(nobles, all_nobles, sizeof nobles);
}

/* -- chance */

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;

static uint64_t finalise(uint64_t v) {
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

static Chance stream(uint64_t seed, uint64_t game, uint64_t number) {
    uint64_t mixed = finalise(seed + GAMMA);
    mixed = finalise(mixed + game + GAMMA);
    return (Chance){finalise(mixed + number + GAMMA), 0};
}

static int below(Chance *chance, int n) {
    uint64_t word = finalise(chance->key + ++chance->tick * GAMMA);
    return (int)(((word >> 32) * (uint64_t)n) >> 32);
}

/* -- lists of small numbers */

static int remove_from(int8_t *list, int8_t *size, int thing) {
    for (int at = 0; at < *size; at++) {
        if (list[at] == thing) {
            memmove(list + at, list + at + 1, (size_t)(*size - at - 1));
            --*size;
            return 1;
        }
    }
    return 0;
}

/* -- ways to pay and to return */

static int due_of(const Player *p, int card, int due[GEMS]) {
    int short_of = 0;
    for (int g = 0; g < GEMS; g++) {
        int need = cards[card].price[g] - p->bonuses[g];
        due[g] = need > 0 ? need : 0;
        if (due[g] > p->tokens[g]) short_of += due[g] - p->tokens[g];
    }
    return short_of;
}

static int count_payments(const Player *p, int card) {
    int due[GEMS], gold = p->tokens[GOLD];
    if (due_of(p, card, due) > gold) return 0;
    if (!gold) return 1;
    int ways[TOKENS] = {1};
    for (int g = 0; g < GEMS; g++) {
        if (!due[g]) continue;
        int have = p->tokens[g], least = due[g] > have ? due[g] - have : 0;
        for (int total = gold; total >= 0; total--) {
            int sum = 0;
            for (int used = least; used <= due[g] && used <= total; used++)
                sum += ways[total - used];
            ways[total] = sum;
        }
    }
    int sum = 0;
    for (int total = 0; total <= gold; total++) sum += ways[total];
    return sum;
}

static int find_payment(const Player *p, const int *due, int g, int gold, int *n, int32_t *paid) {
    if (g == GEMS) return (*n)-- == 0;
    int most = due[g] < p->tokens[g] ? due[g] : p->tokens[g];
    for (paid[g] = 0; paid[g] <= most; paid[g]++) {
        int used = due[g] - paid[g];
        if (used > gold) continue;
        paid[GOLD] += used;
        if (find_payment(p, due, g + 1, gold - used, n, paid)) return 1;
        paid[GOLD] -= used;
    }
    return 0;
}

static int count_returns(const Player *p, int excess) {
    int ways[MOST_RESERVED + 1] = {1};
    for (int t = 0; t < TOKENS; t++) {
        for (int total = excess; total > 0; total--) {
            int most = p->tokens[t] < total ? p->tokens[t] : total;
            for (int back = 1; back <= most; back++) ways[total] += ways[total - back];
        }
    }
    return ways[excess];
}

static int find_return(const Player *p, int t, int excess, int *n, int32_t *back) {
    if (t == TOKENS) return !excess && (*n)-- == 0;
    int most = p->tokens[t] < excess ? p->tokens[t] : excess;
    for (back[t] = 0; back[t] <= most; back[t]++)
        if (find_return(p, t + 1, excess - back[t], n, back)) return 1;
    return 0;
}

static int excess_of(const Player *p) {
    int excess = -MOST_TOKENS;
    for (int t = 0; t < TOKENS; t++) excess += p->tokens[t];
    return excess;
}

static int pleases(const Player *p, int noble) {
    for (int g = 0; g < GEMS; g++)
        if (p->bonuses[g] < nobles[noble].demand[g]) return 0;
    return 1;
}

/* -- from decision to decision */

static void offer(Game *game, int card) {
    int ways = count_payments(&game->player[game->active], card);
    if (!ways) return;
    game->offered[game->offers] = (int8_t)card;
    game->ways[game->offers++] = ways;
    game->total += ways;
}

static void count_actions(Game *game) {
    static const int combinations[GEMS + 1] = {0, 1, 1, 1, 4, 10};
    const Player *p = &game->player[game->active];
    int colours = 0, on_table = 0;
    game->pairs = game->reserves = game->blind = game->offers = 0;
    for (int g = 0; g < GEMS; g++) {
        colours += game->bank[g] > 0;
        game->pairs += game->bank[g] >= 4;
    }
    game->takes = combinations[colours];
    game->total = 0;
    for (int level = 0; level < LEVELS; level++) {
        for (int place = 0; place < ROW; place++) {
            if (game->rows[level][place] < 0) continue;
            on_table++;
            offer(game, game->rows[level][place]);
        }
    }
    for (int at = 0; at < p->reserved; at++) offer(game, p->reserved_cards[at]);
    for (int at = 0; at < p->unseen; at++) offer(game, p->unseen_cards[at]);
    if (p->reserved + p->unseen < MOST_RESERVED) {
        game->reserves = on_table;
        for (int level = 0; level < LEVELS; level++) game->blind += game->deck_size[level] > 0;
    }
    game->total += game->takes + game->pairs + game->reserves + game->blind;
}

/* Whether the visit of a noble is to be decided; else the turn is over. */
static int welcome(Game *game) {
    game->total = 0;
    for (int at = 0; at < game->court; at++)
        game->total += pleases(&game->player[game->active], game->nobles[at]);
    game->phase = WELCOME;
    return game->total > 0;
}

/* Goes from the end of a turn to the next decision or to the end of the game. */
static void end_turn(Game *game) {
    do {
        if (game->player[game->active].points >= ENOUGH_POINTS) game->last_round = 1;
        if (game->idle == game->players && !game->last_round) {
            game->phase = STALEMATE;
            break;
        }
        game->active = (int8_t)(game->active + 1 == game->players ? 0 : game->active + 1);
        if (game->active == game->first) {
            if (game->last_round || game->rounds == MOST_ROUNDS) {
                game->phase = game->last_round ? FINISHED : CAPPED;
                break;
            }
            game->rounds++;
        }
        game->phase = ACT;
        count_actions(game);
        if (game->total) return;
        game->idle++;
    } while (!welcome(game));
    if (game->phase >= FINISHED) game->total = 0;
}

void start(Game *game, int players, uint64_t seed, uint64_t number) {
    memset(game, 0, sizeof *game);
    game->chance = stream(seed, number, 0);
    game->players = (int8_t)players;
    for (int g = 0; g < GEMS; g++) game->bank[g] = 7;
    game->bank[GOLD] = 5;
    for (int card = 0; card < CARDS; card++) {
        int level = cards[card].level;
        game->decks[level][game->deck_size[level]++] = (int8_t)card;
    }
    for (int level = 0; level < LEVELS; level++) {
        int8_t *deck = game->decks[level];
        for (int place = game->deck_size[level] - 1; place > 0; place--) {
            int other = below(&game->chance, place + 1);
            int8_t card = deck[place];
            deck[place] = deck[other];
            deck[other] = card;
        }
        for (int place = 0; place < ROW; place++)
            game->rows[level][place] = deck[--game->deck_size[level]];
    }
    int8_t box[NOBLES], left = NOBLES;
    for (int at = 0; at < NOBLES; at++) box[at] = (int8_t)at;
    for (int at = 0; at <= players; at++) {
        int drawn = box[below(&game->chance, left)];
        game->nobles[game->court++] = (int8_t)drawn;
        remove_from(box, &left, drawn);
    }
    game->first = game->active = (int8_t)below(&game->chance, players);
    game->rounds = 1;
    count_actions(game);
}

/* -- moves */

void find(const Game *game, int n, Move *move) {
    const Player *p = &game->player[game->active];
    memset(move, 0, sizeof *move);
    move->thing = -1;
    if (game->phase == RETURN) {
        move->action = RETURN_TOKENS;
        find_return(p, 0, excess_of(p), &n, move->tokens);
        return;
    }
    if (game->phase == WELCOME) {
        move->action = RECEIVE;
        for (int at = 0; at < game->court; at++)
            if (pleases(p, game->nobles[at]) && n-- == 0) move->thing = game->nobles[at];
        return;
    }
    if (n < game->takes) {
        int there = 0, size = 0;
        for (int g = 0; g < GEMS; g++)
            if (game->bank[g]) there |= 1 << g, size++;
        if (size > 3) size = 3;
        int gems = 0;
        do {
            do gems = (gems - there) & there; /* the next subset */
            while (__builtin_popcount((unsigned)gems) != size);
        } while (n-- > 0);
        move->action = TAKE_DIFFERENT;
        for (int g = 0; g < GEMS; g++) move->tokens[g] = gems >> g & 1;
        return;
    }
    if ((n -= game->takes) < game->pairs) {
        move->action = TAKE_PAIR;
        for (int g = 0; g < GEMS; g++)
            if (game->bank[g] >= 4 && n-- == 0) move->thing = g;
        return;
    }
    if ((n -= game->pairs) < game->reserves) {
        move->action = RESERVE;
        for (int at = 0; at < LEVELS * ROW; at++) {
            int card = game->rows[at / ROW][at % ROW];
            if (card >= 0 && n-- == 0) move->thing = card;
        }
        return;
    }
    if ((n -= game->reserves) < game->blind) {
        move->action = RESERVE_UNSEEN;
        for (int level = 0; level < LEVELS; level++)
            if (game->deck_size[level] && n-- == 0) move->thing = level;
        return;
    }
    n -= game->blind;
    int at = 0, due[GEMS];
    while (n >= game->ways[at]) n -= game->ways[at++];
    move->action = BUY;
    move->thing = game->offered[at];
    due_of(p, move->thing, due);
    find_payment(p, due, 0, p->tokens[GOLD], &n, move->tokens);
}

static void take_from_row(Game *game, int card) {
    int level = cards[card].level;
    for (int place = 0; place < ROW; place++) {
        if (game->rows[level][place] != card) continue;
        int left = game->deck_size[level];
        game->rows[level][place] = left ? game->decks[level][--game->deck_size[level]] : -1;
        return;
    }
}

static void give_gold(Game *game, Player *p) {
    if (game->bank[GOLD]) game->bank[GOLD]--, p->tokens[GOLD]++;
}

static void pay(Game *game, Player *p, const int32_t *tokens, int sign) {
    for (int t = 0; t < TOKENS; t++) {
        p->tokens[t] = (int8_t)(p->tokens[t] - sign * tokens[t]);
        game->bank[t] = (int8_t)(game->bank[t] + sign * tokens[t]);
    }
}

static void buy(Game *game, Player *p, int card) {
    if (!remove_from(p->reserved_cards, &p->reserved, card) &&
        !remove_from(p->unseen_cards, &p->unseen, card))
        take_from_row(game, card);
    p->bought_cards[p->bought++] = (int8_t)card;
    p->bonuses[cards[card].bonus]++;
    p->points = (int8_t)(p->points + cards[card].points);
}

void play(Game *game, const Move *move) {
    Player *p = &game->player[game->active];
    switch (move->action) {
    case TAKE_DIFFERENT: pay(game, p, move->tokens, -1); break;
    case TAKE_PAIR:
        game->bank[move->thing] = (int8_t)(game->bank[move->thing] - 2);
        p->tokens[move->thing] = (int8_t)(p->tokens[move->thing] + 2);
        break;
    case RESERVE:
        take_from_row(game, move->thing);
        p->reserved_cards[p->reserved++] = (int8_t)move->thing;
        give_gold(game, p);
        break;
    case RESERVE_UNSEEN:
        p->unseen_cards[p->unseen++] = game->decks[move->thing][--game->deck_size[move->thing]];
        give_gold(game, p);
        break;
    case BUY:
        pay(game, p, move->tokens, 1);
        buy(game, p, move->thing);
        break;
    case RETURN_TOKENS: pay(game, p, move->tokens, 1); break;
    case RECEIVE:
        remove_from(game->nobles, &game->court, move->thing);
        p->noble_cards[p->nobles++] = (int8_t)move->thing;
        p->points = (int8_t)(p->points + nobles[move->thing].points);
        end_turn(game);
        return;
    }
    game->idle = 0;
    if (excess_of(p) > 0) {
        game->phase = RETURN;
        game->total = count_returns(p, excess_of(p));
    } else if (!welcome(game))
        end_turn(game);
}

/* Plays games at random; how many moves they had. */
int64_t play_games(int players, uint64_t seed, int64_t first, int64_t games) {
    int64_t moves = 0;
    for (int64_t number = first; number < first + games; number++) {
        Chance luck[PLAYERS];
        Game game;
        Move move;
        start(&game, players, seed, (uint64_t)number);
        for (int seat = 0; seat < players; seat++)
            luck[seat] = stream(seed, (uint64_t)number, (uint64_t)seat + 1);
        for (; game.phase < FINISHED; moves++) {
            find(&game, below(&luck[game.active], game.total), &move);
            play(&game, &move);
        }
    }
    return moves;
}
