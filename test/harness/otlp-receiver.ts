import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP/JSON carries it (opentelemetry-proto, trace.proto), with the service that made it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_*: export to here, soon and all of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly spans: ReceivedSpan[];
  /** Everything that was received, as text. */
  readonly raw: string[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly OtlpAttribute[];
      }[];
    }[];
  }[];
}

/** A real receiver of OTLP over HTTP with JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const raw: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      raw.push(text);
      spans.push(...spansOf(JSON.parse(text) as OtlpRequest));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    spans,
    raw,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function spansOf(request: OtlpRequest): ReceivedSpan[] {
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(record(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId = '', attributes }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        attributes: record(attributes),
      })),
    );
  });
}

function record(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
