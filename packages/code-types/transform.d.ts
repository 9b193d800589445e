/// <reference path="./bt.d.ts" />
/// <reference path="./errors.d.ts" />

/**
 * Code that changes a request before the destination receives it. Values of tokens are filled in already. It has 30
 * seconds, and 2 seconds of processor time.
 */
type RequestTransform = (req: RequestTransformRequest) => TransformResult | Promise<TransformResult>;

/** Code that changes a 2xx answer of the destination before the caller receives it. Other answers pass through. */
type ResponseTransform = (req: ResponseTransformRequest) => TransformResult | Promise<TransformResult>;

/** What a request transform receives. */
interface RequestTransformRequest {
  /** The request. */
  args: RequestTransformArgs;
  /** The proxy's configuration: values that should not be in the code, such as keys of the destination. */
  configuration: Record<string, string>;
  /** The client of the vault. It is undefined if the proxy has no application. */
  bt: Bt | undefined;
}

/** What a response transform receives. */
interface ResponseTransformRequest {
  /** The answer. */
  args: ResponseTransformArgs;
  /** The proxy's configuration. */
  configuration: Record<string, string>;
  /** The client of the vault. It is undefined if the proxy has no application. */
  bt: Bt | undefined;
}

/** The request, with values in place of expressions. */
interface RequestTransformArgs {
  /** The parsed body: any JSON, or an object of strings for a form. Absent without a body. At most 1 MiB. */
  body?: any;
  /** In the client's spelling. Repeated headers are joined by a comma. */
  headers: TransformHeaders;
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after `/proxy`, such as `/sub/path`; empty for none. */
  path: string;
  /** The query with its `?`, as it was sent, without the proxy key; empty for none. */
  query: string;
}

/** The destination's answer. It has no status: only 2xx answers are transformed. */
interface ResponseTransformArgs {
  /** The parsed body: any JSON, or an object of strings for a form. Absent without a body. At most 1 MiB. */
  body?: any;
  /** In the destination's spelling. */
  headers: TransformHeaders;
}

/** Headers as code receives them. Repeated `Set-Cookie` is a list. */
type TransformHeaders = Record<string, string | string[]>;

/** Headers as code may return them. Null is none; of names that differ in case only, the last counts. */
type ReturnedHeaders = Record<string, string | number | readonly (string | number)[] | null | undefined>;

/** What a transform returns: `body`, `headers` or both. Expressions in it are not evaluated. */
type TransformResult =
  | { body: unknown; headers?: ReturnedHeaders | undefined }
  | { body?: unknown; headers: ReturnedHeaders };
