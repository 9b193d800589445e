/** Where ts-proto's messages are written to (BinaryWriter of @bufbuild/protobuf). */
interface Writer {
  /** The bytes that were written; the writer begins anew. */
  finish(): Uint8Array<ArrayBuffer>;
}

/** A message type as ts-proto generates it. */
export interface Encoder<Message, W extends Writer> {
  /** Goes on writing to `writer`, or to a new one. */
  encode(message: Message, writer?: W): W;
}

/** A writer that has grown beyond this is not kept. */
const maxKeptBytes = 1024 * 1024;

/**
 * Serializes one message after the other into the same memory. The generated function takes new memory for each and
 * copies it whenever it grows, which for frames of many calls (call-stream-protocol.ts) is megabytes a second of
 * garbage outside of V8's heap: that costs a full collection every now and then.
 */
export function frameSerializer<Message, W extends Writer>(
  type: Encoder<Message, W>,
): (message: Message) => Buffer<ArrayBuffer> {
  let kept: W | undefined;
  return (message) => {
    const used = kept;
    // What throws leaves a message that is half written.
    kept = undefined;
    const writer = type.encode(message, used);
    const bytes = writer.finish();
    if (bytes.length <= maxKeptBytes) kept = writer;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

interface StreamMethod<Request, Response> {
  requestSerialize: (message: Request) => Buffer;
  responseSerialize: (message: Response) => Buffer;
}

/** A method of a generated service whose messages are frames. Both ends may use it, or one of them. */
export function withFrames<
  Request,
  Response,
  Method extends StreamMethod<Request, Response>,
  W extends Writer,
>(method: Method, request: Encoder<Request, W>, response: Encoder<Response, W>): Method {
  return {
    ...method,
    requestSerialize: frameSerializer(request),
    responseSerialize: frameSerializer(response),
  };
}
