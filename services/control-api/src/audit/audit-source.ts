import type { LogEntry, LogFilter, Place } from './log-entry.ts';

/** What keeps the log of tokens and sessions: the vault. This service learns ids, and nothing of any token. */
export interface AuditSource {
  /** At most a thousand, behind a place, newest first. @throws AppError `unavailable` */
  list(
    filter: LogFilter,
    after: Omit<Place, 'source'>,
    limit: number,
    correlationId: string,
  ): Promise<readonly LogEntry[]>;
  /** @throws AppError `unavailable` */
  count(filter: LogFilter, correlationId: string): Promise<number>;
}
