/** Names a request that the service is to do once, however often it comes. */
export const idempotencyHeader = 'SVC-IDEMPOTENCY-KEY';
