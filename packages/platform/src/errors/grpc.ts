import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

import {
  AppError,
  type ErrorCode,
  type FieldProblems,
  isErrorCode,
  toAppError,
  validationError,
} from './app-error.ts';

/** How an error travels inside a frame of a call stream; structurally `common.v1.Error`. */
export interface WireError {
  code: string;
  message: string;
  problems: { path: string; messages: string[] }[];
}

const table: Readonly<Record<ErrorCode, status>> = {
  invalid_argument: status.INVALID_ARGUMENT,
  strict: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  permission_denied: status.PERMISSION_DENIED,
  destination_not_bound: status.PERMISSION_DENIED,
  destination_not_allowed: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  deadline_exceeded: status.DEADLINE_EXCEEDED,
  conflict: status.ABORTED,
  version_conflict: status.ABORTED,
  too_large: status.OUT_OF_RANGE,
  unsupported_media_type: status.INVALID_ARGUMENT,
  unprocessable: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  use_limit: status.RESOURCE_EXHAUSTED,
  cancelled: status.CANCELLED,
  internal: status.INTERNAL,
  integrity_violation: status.DATA_LOSS,
  bad_gateway: status.UNKNOWN,
  destination_tls: status.UNKNOWN,
  response_leaks_value: status.UNKNOWN,
  unavailable: status.UNAVAILABLE,
  destination_circuit_open: status.UNAVAILABLE,
  vault_sealed: status.UNAVAILABLE,
};

/** JSON `{code, message, errors}` of an AppError; the suffix makes gRPC carry it as bytes. */
const errorKey = 'error-bin';
/** Peers commonly refuse headers above 16 KiB, and base64 adds a third. */
const maxErrorBytes = 8 * 1024;
const maxMessageChars = 1024;

/**
 * The exception of a handler as the status that ends its call. An unknown one becomes `internal` without details; a
 * cause is never sent. Field problems beyond 8 KiB are left out.
 */
export function toGrpcStatus(thrown: unknown): StatusObject {
  const error = toAppError(thrown);
  const metadata = new Metadata();
  metadata.set(errorKey, encode(error));
  // grpc-js passes details to encodeURI, which throws on a lone surrogate.
  return { code: table[error.code], details: shorten(error.message).toWellFormed(), metadata };
}

/**
 * The failure of a gRPC call as an AppError. Only a status that carries an AppError speaks for the application. The
 * others come from the transport or from the server's check of the calling service, and say nothing about the end
 * user: they become `unavailable`, `deadline_exceeded` or `internal`, with the status as cause. (A bare CANCELLED is a
 * stream that the server cut off: a caller that cancels knows that without a status.)
 */
export function fromGrpcError(failure: unknown): AppError {
  if (failure instanceof AppError) return failure;
  const { code, metadata } = failure as Partial<StatusObject>;
  const carried = metadata instanceof Metadata ? metadata.get(errorKey)[0] : undefined;
  const decoded = carried instanceof Buffer ? decode(carried, failure) : undefined;
  if (decoded !== undefined) return decoded;
  switch (code) {
    case status.UNAVAILABLE:
    case status.CANCELLED:
      return new AppError('unavailable', 'A service that this request needs is not available.', {
        cause: failure,
      });
    case status.DEADLINE_EXCEEDED:
      return new AppError('deadline_exceeded', 'The request took too long.', { cause: failure });
    default:
      return toAppError(failure);
  }
}

/** The exception of a handler inside a frame, without its cause. Nothing of an unknown error is in it. */
export function toWireError(thrown: unknown): WireError {
  const { code, message, errors } = toAppError(thrown);
  const problems = Object.entries(errors).map(([path, messages]) => ({ path, messages: [...messages] }));
  return { code, message, problems };
}

/** The AppError in a frame. An unknown code becomes `internal`. */
export function fromWireError(wire: WireError): AppError {
  const errors = Object.fromEntries(wire.problems.map(({ path, messages }) => [path, messages]));
  return revive(wire.code, wire.message, errors);
}

function encode({ code, message, errors }: AppError): Buffer {
  const whole = Buffer.from(JSON.stringify({ code, message, errors }));
  if (whole.length <= maxErrorBytes) return whole;
  const kept: [string, readonly string[]][] = [];
  let room = maxErrorBytes - Buffer.byteLength(JSON.stringify({ code, message: shorten(message) }));
  for (const [path, messages] of Object.entries(errors)) {
    room -= Buffer.byteLength(JSON.stringify({ [path]: messages }));
    if (room < 0) break;
    kept.push([path, messages]);
  }
  return Buffer.from(JSON.stringify({ code, message: shorten(message), errors: Object.fromEntries(kept) }));
}

function shorten(message: string): string {
  return message.slice(0, maxMessageChars);
}

function decode(bytes: Buffer, cause: unknown): AppError | undefined {
  try {
    const { code, message, errors }: Record<string, unknown> = JSON.parse(bytes.toString());
    if (typeof code !== 'string' || typeof message !== 'string') return undefined;
    return revive(code, message, isFieldProblems(errors) ? errors : {}, cause);
  } catch {
    return undefined;
  }
}

function isFieldProblems(value: unknown): value is FieldProblems {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(
    (messages) => Array.isArray(messages) && messages.every((message) => typeof message === 'string'),
  );
}

function revive(code: string, message: string, errors: FieldProblems, cause?: unknown): AppError {
  if (!isErrorCode(code))
    return toAppError(new Error(`unknown error code ${JSON.stringify(code)}: ${message}`));
  // The title does not travel: every request with field problems is a validation error.
  const isValidation = code === 'invalid_argument' || code === 'strict';
  const title = isValidation && Object.keys(errors).length > 0 ? validationError(errors).title : undefined;
  return new AppError(code, message, { errors, cause, ...(title === undefined ? {} : { title }) });
}
