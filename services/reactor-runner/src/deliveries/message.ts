/** One POST as it is sent: all that an attempt needs to know. */
export interface Message {
  /** As the tenant wrote it; judged again before it is dialled. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Those of every delivery. @param id the same for each attempt, so that a receiver knows what it has already */
export function deliveryHeaders(
  id: string,
  timestamp: string,
  correlationId: string,
): Record<string, string> {
  return {
    'User-Agent': 'glovebox-webhooks',
    'SVC-WEBHOOK-ID': id,
    'SVC-WEBHOOK-TIMESTAMP': timestamp,
    'SVC-TRACE-ID': correlationId,
  };
}

/** Seconds since the epoch. */
export function timestampOf(now: Date): string {
  return String(Math.floor(now.getTime() / 1000));
}
