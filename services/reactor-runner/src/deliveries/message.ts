/** One POST, as it is sent. */
export interface Message {
  /** As the tenant wrote it. The egress policy is applied again before it is dialled. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers of every delivery. @param id the same for each attempt, so that receivers can recognize repetitions */
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
