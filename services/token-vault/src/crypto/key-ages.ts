/** How long a vault may seal under a version after another process has rotated. */
export const currentKeyMaxAgeMs = 60_000;

/** After which no vault works with keys that were current before: that time, and 15 s for transactions that have begun by then. */
export const settleMs = currentKeyMaxAgeMs + 15_000;
