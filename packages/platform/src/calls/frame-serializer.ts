/** The writer that ts-proto's messages use (BinaryWriter of @bufbuild/protobuf). */
interface Writer {
  /** Returns the written bytes and starts anew. */
  finish(): Uint8Array<ArrayBuffer>;
}

/** A message type as ts-proto generates it. */
export interface Encoder<Message, W extends Writer> {
  /** Goes on writing to `writer`, or to a new one. */
  encode(message: Message, writer?: W): W;
}

/** A larger writer is not reused. */
const maxKeptBytes = 1024 * 1024;

/**
 * Serializes messages into the same memory. The generated function allocates for each message and copies whenever that
 * grows. For frames of many calls that is megabytes of garbage a second outside of V8's heap, which forces full
 * collections.
 */
export function frameSerializer<Message, W extends Writer>(
  type: Encoder<Message, W>,
): (message: Message) => Buffer<ArrayBuffer> {
  let kept: W | undefined;
  return (message) => {
    const used = kept;
    // After an exception the writer holds half a message.
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

/** A method of a generated service whose messages are frames. One end or both may use it. */
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
