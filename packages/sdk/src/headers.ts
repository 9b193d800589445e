/** Identifies a request that the service performs once, however often it is sent. */
export const idempotencyHeader = 'SVC-IDEMPOTENCY-KEY';

/** The version that a write may replace (RFC 9110 section 13.1.1). */
export const ifMatchHeader = 'If-Match';
