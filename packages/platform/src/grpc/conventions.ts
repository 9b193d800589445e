/** What both sides of our gRPC calls agree on. */

/** Metadata keys of what travels beside a request. */
export const correlationKey = 'correlation-id';
export const traceparentKey = 'traceparent';

/** Of one message, either way. */
export const defaultMaxMessageBytes = 16 * 1024 * 1024;
