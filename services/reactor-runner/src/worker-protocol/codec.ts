import type { CodeReach, EgressReport } from './code-reach.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Moved, Outcome, TextOutcome } from './outcome.ts';

/** A message as bytes: type, id, further numbers (little endian), then the body. */
export interface Codec<In, Out> {
  encode(message: Out): Encoded;
  /** @throws Error when the bytes are no message */
  decode(frame: Buffer): In;
}

export interface Encoded {
  readonly type: number;
  readonly numbers: readonly number[];
  readonly body: Buffer | string;
}

const types = {
  load: 1,
  forget: 2,
  run: 3,
  cancel: 4,
  ready: 5,
  suspended: 6,
  settled: 7,
  compile: 8,
  btRequest: 9,
  btResponse: 10,
  logged: 11,
  reach: 14,
  egress: 15,
  proceed: 12,
  proceeding: 13,
} as const;
const kinds = [
  'returned',
  'threw',
  'not_a_function',
  'bad_argument',
  'result_too_large',
  'timeout',
  'memory',
  'crashed',
  'cancelled',
  'cpu',
  'moved',
  'worker_lost',
] as const satisfies (Outcome | Moved)['kind'][];

const egressReasons = ['allowed_destinations', 'egress_policy'] as const satisfies EgressReport['reason'][];

/** The runner's end of the channel. */
export const parentCodec: Codec<FromWorker, ToWorker> = { encode: encodeToWorker, decode: decodeFromWorker };
/** The worker's end. */
export const workerCodec: Codec<ToWorker, FromWorker<string>> = {
  encode: encodeFromWorker,
  decode: decodeToWorker,
};

function encodeToWorker(message: ToWorker): Encoded {
  switch (message.type) {
    case 'load':
      return encode(types.load, [message.codeId], message.code);
    case 'reach':
      return encode(types.reach, [message.codeId], JSON.stringify(message.reach));
    case 'forget':
      return encode(types.forget, [message.codeId]);
    case 'run':
      return encode(
        types.run,
        [
          message.callId,
          message.codeId,
          message.timeoutMs,
          (message.hasBt ? 1 : 0) + (message.isMeasured ? 2 : 0),
        ],
        message.argument,
      );
    case 'proceed':
      return encode(types.proceed, [0]);
    case 'cancel':
      return encode(types.cancel, [message.callId]);
    case 'compile':
      return encode(types.compile, [message.callId, message.loadMs], message.code);
    case 'btResponse':
      return encode(types.btResponse, [message.callId, message.requestId], message.response);
    default:
      return message satisfies never;
  }
}

function decodeToWorker(frame: Buffer): ToWorker {
  const id = frame.readUInt32LE(1);
  switch (frame[0]) {
    case types.load:
      return { type: 'load', codeId: id, code: frame.toString('utf8', 5) };
    case types.reach:
      return { type: 'reach', codeId: id, reach: JSON.parse(frame.toString('utf8', 5)) as CodeReach };
    case types.forget:
      return { type: 'forget', codeId: id };
    case types.run:
      return {
        type: 'run',
        callId: id,
        codeId: frame.readUInt32LE(5),
        timeoutMs: frame.readUInt32LE(9),
        hasBt: frame.readUInt32LE(13) % 2 === 1,
        isMeasured: frame.readUInt32LE(13) >= 2,
        argument: frame.subarray(17),
      };
    case types.proceed:
      return { type: 'proceed' };
    case types.cancel:
      return { type: 'cancel', callId: id };
    case types.compile:
      return {
        type: 'compile',
        callId: id,
        loadMs: frame.readUInt32LE(5),
        code: frame.toString('utf8', 9),
      };
    case types.btResponse:
      return {
        type: 'btResponse',
        callId: id,
        requestId: frame.readUInt32LE(5),
        response: frame.subarray(9),
      };
    default:
      throw new Error(`unknown message type ${frame[0]}`);
  }
}

function encodeFromWorker(message: FromWorker<string>): Encoded {
  switch (message.type) {
    case 'ready':
      return encode(types.ready, [0]);
    case 'proceeding':
      return encode(types.proceeding, [0]);
    case 'suspended':
      return encode(types.suspended, [message.callId]);
    case 'btRequest':
      return encode(types.btRequest, [message.callId, message.requestId], message.request);
    case 'logged':
      return encode(types.logged, [message.callId], message.log);
    case 'egress':
      return encode(
        types.egress,
        [message.callId, egressReasons.indexOf(message.reason), message.denied ? 1 : 0],
        message.place,
      );
    case 'settled':
      return encode(
        types.settled,
        [message.callId, kinds.indexOf(message.outcome.kind), message.tookMs, message.heldKb],
        bodyOf(message.outcome),
      );
    default:
      return message satisfies never;
  }
}

function decodeFromWorker(frame: Buffer): FromWorker {
  const callId = frame.readUInt32LE(1);
  switch (frame[0]) {
    case types.ready:
      return { type: 'ready' };
    case types.proceeding:
      return { type: 'proceeding' };
    case types.suspended:
      return { type: 'suspended', callId };
    case types.btRequest:
      return { type: 'btRequest', callId, requestId: frame.readUInt32LE(5), request: frame.subarray(9) };
    case types.logged:
      return { type: 'logged', callId, log: frame.subarray(5) };
    case types.egress:
      return { type: 'egress', callId, ...egressReportOf(frame) };
    case types.settled:
      return {
        type: 'settled',
        callId,
        tookMs: frame.readUInt32LE(9),
        heldKb: frame.readUInt32LE(13),
        outcome: outcomeOf(frame.readUInt32LE(5), frame.subarray(17)),
      };
    default:
      throw new Error(`unknown message type ${frame[0]}`);
  }
}

function egressReportOf(frame: Buffer): EgressReport {
  const reason = egressReasons[frame.readUInt32LE(5)];
  if (reason === undefined) throw new Error('unknown reason of a report');
  return { reason, denied: frame.readUInt32LE(9) === 1, place: frame.toString('utf8', 13) };
}

/** The body of a timeout, of a run that held no thread then. */
const wasWaiting = 'waiting';

function bodyOf(outcome: TextOutcome): string {
  if (outcome.kind === 'returned') return outcome.result;
  if (outcome.kind === 'threw') return outcome.thrown;
  if (outcome.kind === 'not_a_function') return outcome.reason;
  return outcome.kind === 'timeout' && outcome.wasWaiting === true ? wasWaiting : '';
}

function outcomeOf(index: number, body: Buffer): Outcome | Moved {
  const kind = kinds[index];
  if (kind === undefined) throw new Error(`unknown outcome ${index}`);
  if (kind === 'returned') return { kind, result: body };
  if (kind === 'threw') return { kind, thrown: body.toString() };
  if (kind === 'not_a_function') return { kind, reason: body.toString() };
  if (kind === 'timeout' && body.length > 0) return { kind, wasWaiting: true };
  return { kind };
}

function encode(type: number, numbers: readonly number[], body: Buffer | string = ''): Encoded {
  return { type, numbers, body };
}
