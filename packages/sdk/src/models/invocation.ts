import type { CursorQuery } from './page.ts';

/** What an invocation of a proxy or reactor was, without the values that went through it. */
export interface InvocationOutline {
  readonly id: string;
  /** An ephemeral proxy has no id. */
  readonly subject: { readonly type: 'proxy' | 'reactor'; readonly id?: string };
  /** Of the proxy. */
  readonly version?: number;
  readonly outcome: InvocationOutcome;
  /** Of the answer; absent for asynchronous invocations. */
  readonly status?: number;
  readonly traceId: string;
  readonly applicationId?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Milliseconds of each stage. */
  readonly stages?: Readonly<Record<string, number>>;
  readonly destination?: { readonly url: string; readonly status?: number };
  readonly requestBytes?: number;
  readonly responseBytes?: number;
  /** Where in the code it was thrown, both from 1. */
  readonly error?: { readonly code: string; readonly line?: number; readonly column?: number };
  /** The code wrote to its log. */
  readonly logged: boolean;
}

export type InvocationOutcome = 'succeeded' | 'failed' | 'refused';

export interface InvocationFilter {
  /** Id of a proxy or reactor. */
  readonly subject?: string | undefined;
  readonly outcome?: InvocationOutcome | readonly InvocationOutcome[] | undefined;
  readonly traceId?: string | undefined;
  readonly status?: number | undefined;
  readonly startedAfter?: string | Date | undefined;
}

export type OutlineQuery = InvocationFilter & CursorQuery;

/** A run of a proxy's or a reactor's code that logged something or failed. */
export interface Invocation {
  readonly id: string;
  readonly correlationId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** `returned`, `threw`, `timeout`, … */
  readonly outcome: string;
  /** Which transform of a proxy. */
  readonly side?: 'request' | 'response';
  readonly error?: { readonly name?: string; readonly message: string; readonly stack?: string[] };
  readonly log: { readonly time: string; readonly level: 'info' | 'error'; readonly text: string }[];
}

/** Newest first. */
export interface InvocationList {
  readonly data: Invocation[];
}

export interface InvocationQuery {
  /** 1 to 100; default 20. */
  readonly size?: number | undefined;
}

/** How often a proxy or reactor was invoked in the last hour. */
export interface InvocationFigure {
  readonly subject: { readonly type: 'proxy' | 'reactor'; readonly id: string };
  readonly requests: number;
  /** Those that failed. */
  readonly errors: number;
}

export interface InvocationFigures {
  /** 55 minutes to an hour ago. */
  readonly since: string;
  /** The most invoked first; what was not invoked is absent. */
  readonly data: InvocationFigure[];
}

/** An asynchronous invocation of a reactor, without anything that it received or returned. */
export interface AsyncInvocation {
  /** As `reactAsync` has answered it. */
  readonly id: string;
  readonly reactorId: string;
  readonly applicationId?: string;
  /** `interrupted`: its code began, and what became of it is unknown. */
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'interrupted';
  readonly acceptedAt: string;
  readonly endedAt?: string;
  /** Of its code. */
  readonly durationMs?: number;
  readonly error?: string;
}
