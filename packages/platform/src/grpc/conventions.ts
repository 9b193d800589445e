/** Conventions of both ends of our gRPC calls. */

/** Metadata keys beside a request. */
export const correlationKey = 'correlation-id';
export const traceparentKey = 'traceparent';

/** Of one message, either way. */
export const defaultMaxMessageBytes = 16 * 1024 * 1024;
