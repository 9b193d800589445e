import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

import { AppError } from './errors.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  readonly destination?: DestinationStream;
}

/**
 * A JSON logger of one service. Fields that could carry a secret by mistake are removed whatever they are nested
 * in one level deep; values of tokens are never passed to it in the first place.
 */
export function createLogger(options: LoggerOptions): Logger {
  const config = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  return options.destination === undefined ? pino(config) : pino(config, options.destination);
}

const redactedNames = [
  'body',
  'data',
  'authorization',
  'apiKey',
  'api_key',
  'key',
  'password',
  'secret',
  'token',
  'headers',
];
const redactedPaths = redactedNames.flatMap((name) => [name, `*.${name}`]);

/** An error for the log: type, code, message, stack and its causes, but none of the extra properties that drivers
 * attach (a Postgres error's `detail` and `where` quote the values of a row). */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return stdSerializers.err(new Error('a value that is no Error was thrown'));
  return {
    type: error.name,
    ...(error instanceof AppError ? { code: error.code } : codeOf(error)),
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

function codeOf(error: Error): { code?: string } {
  return 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
}
