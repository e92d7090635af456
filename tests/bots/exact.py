"""The true value of a small position, found by looking at every game that can follow."""

from hanpan.core.rule import OVER


def true_value(game, record, known=None):
    """1 if seat 1 of two wins, −1 if seat 2 does, 0 for a draw, with best play."""
    known = {} if known is None else known
    key = record.tobytes()
    if key not in known:
        rules = game.book.rules
        mover = int(rules.mover(record[0]))
        if mover == OVER:
            winners = int(rules.outcome(record[0], game.book.scores_buffer()))
            known[key] = 0 if winners in (0, 3) else (1 if winners & 1 else -1)
        else:
            out, sign, best = game.book.actions_buffer(), 1 if mover == 0 else -1, -2
            for a in out[: rules.legal(record[0], out)].tolist():
                after = record.copy()
                rules.apply(after[0], a)
                best = max(best, sign * true_value(game, after, known))
                if best == 1:
                    break
            known[key] = sign * best
    return known[key]
