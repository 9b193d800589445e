import {
  type Context,
  type Span,
  type SpanOptions,
  INVALID_SPAN_CONTEXT,
  SpanStatusCode,
  type Tracer,
  TraceFlags,
  isSpanContextValid,
  context,
  trace,
} from '@opentelemetry/api';

import { AppError } from '../errors/app-error.ts';

export { type Context, ROOT_CONTEXT, type Span, SpanKind, context, trace } from '@opentelemetry/api';

const tracer: Tracer = trace.getTracer('glovebox');
const noSpan: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let isExporting = false;
let pauses = 0;
let recording = false;

/** Spans are no-ops until exporter.ts calls this. */
export function recordSpans(): void {
  isExporting = true;
  recording = pauses === 0;
}

/** No spans of this process until it is disposed: what happens meanwhile belongs to no request. */
export function withoutSpans(): Disposable {
  pauses += 1;
  recording = false;
  return {
    [Symbol.dispose]() {
      pauses -= 1;
      recording = isExporting && pauses === 0;
    },
  };
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The remote parent in a `traceparent` (W3C Trace Context, section 3.2), or `parent` when there is none. */
export function contextOf(traceparent: string | undefined, parent: Context = context.active()): Context {
  if (traceparent === undefined || traceparent === '') return parent;
  const match = traceparentPattern.exec(traceparent);
  if (match === null) return parent;
  const [, traceId = '', spanId = '', flags = ''] = match;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(parent, remote) : parent;
}

/** The `traceparent` that continues a context; undefined when it carries no valid span. */
export function traceparentOf(current: Context): string | undefined {
  const span = trace.getSpanContext(current);
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
}

/** Whether spans below this context are recorded. If not, callers skip work that only a span needs. */
export function isSampled(current: Context): boolean {
  const span = trace.getSpanContext(current);
  return span !== undefined && (span.traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** A span and the context below it. Without recording, one no-op span for all and `parent`, at no cost. */
export function startSpan(
  name: string,
  options: SpanOptions,
  parent: Context,
): { span: Span; context: Context } {
  if (!recording) return { span: noSpan, context: parent };
  const span = tracer.startSpan(name, options, parent);
  return { span, context: trace.setSpan(parent, span) };
}

/** Marks a span as failed by the error's code. Neither message nor stack: a message may quote a request. */
export function failSpan(span: Span, error: unknown): void {
  const code = error instanceof AppError ? error.code : 'internal';
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  span.setAttribute('error.type', code);
}

/** Runs `work` inside a span and ends the span with it. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  parent: Context,
  work: (current: Context, span: Span) => Promise<T>,
): Promise<T> {
  const { span, context: current } = startSpan(name, options, parent);
  try {
    return await context.with(current, work, undefined, current, span);
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}
