/** Identifies a request that the service performs once, however often it is sent. */
export const idempotencyHeader = 'SVC-IDEMPOTENCY-KEY';
