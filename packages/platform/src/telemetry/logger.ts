import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

import { AppError } from '../errors/app-error.ts';
import { createLogOutput } from './log-output.ts';
import { logTime } from './log-time.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  /** Default: standard output, in batches (log-output.ts). */
  readonly destination?: DestinationStream;
}

/**
 * A JSON logger of one service. It removes fields that could carry a secret by mistake, at the top and one level deep.
 * Token values are never passed to it.
 */
export function createLogger(options: LoggerOptions): Logger {
  const config = {
    level: options.level,
    base: { service: options.service },
    timestamp: () => logTime(),
    redact: { paths: redactedNames, censor: redacted },
    formatters: { level: (label: string) => ({ level: label }), log: censorNested },
    serializers: { err: serializeError },
  };
  const destination = options.destination ?? createLogOutput(1);
  const logger = pino(config, destination);
  destinations.set(logger, destination);
  return logger;
}

const destinations = new WeakMap<Logger, DestinationStream>();

/**
 * Writes lines of level info for every request, in a tenth of pino's time. It redacts and escapes nothing.
 * @param logger of `createLogger`
 * @returns takes the fields as JSON without its braces, e.g. `"route":"/proxy","status":200`
 */
export function createLineWriter(logger: Logger, message: string): (fields: string) => void {
  const destination = destinations.get(logger);
  if (destination === undefined) throw new TypeError('the logger was not created by createLogger');
  const service = JSON.stringify(logger.bindings()['service']);
  const end = `,"msg":${JSON.stringify(message)}}\n`;
  return (fields) => {
    if (!logger.isLevelEnabled('info')) return;
    destination.write(`{"level":"info"${logTime()},"service":${service},${fields}${end}`);
  };
}

const redacted = '[redacted]';
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

/**
 * Does what pino's path `*.name` does for each name, at a fifth of its cost: pino goes through every value of a line.
 */
function censorNested(line: Record<string, unknown>): Record<string, unknown> {
  let censored: Record<string, unknown> | undefined;
  for (const field of Object.keys(line)) {
    const value = line[field];
    if (typeof value !== 'object' || value === null || field === 'err') continue;
    const names = redactedNames.filter((name) => Object.hasOwn(value, name));
    if (names.length === 0) continue;
    censored ??= { ...line };
    censored[field] = { ...value, ...Object.fromEntries(names.map((name) => [name, redacted])) };
  }
  return censored ?? line;
}

/**
 * An error for the log: type, code, message, stack and causes, without the extra properties that drivers attach (a
 * Postgres error's `detail` and `where` quote values of a row).
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error))
    return stdSerializers.err(new Error('a value that is not an Error was thrown'));
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
