import { texts } from '../texts.ts';
import { CopyButton } from './parts.tsx';

/** The commands that show the same as the screen. */
export function CopyAs({
  request,
  withApiKey = false,
  headers = [],
  body,
  cli,
}: {
  /** E.g. `GET /proxies` */
  readonly request: string;
  /** It is of the data plane, so a management key does not do. */
  readonly withApiKey?: boolean;
  /** Further ones, e.g. `SVC-Dry-Run: true`. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** What follows `glovebox`, of which each part is one argument; absent where the command line has nothing of the kind. */
  readonly cli?: readonly string[] | undefined;
}) {
  return (
    <span className="copy-as">
      <span className="soft" aria-hidden="true">
        {texts.copyAs.label}
      </span>
      <CopyButton text={curlOf(request, withApiKey, headers, body)} label="curl" name={texts.copyAs.curl} />
      {cli !== undefined && (
        <CopyButton text={['glovebox', ...cli.map(quoted)].join(' ')} label="CLI" name={texts.copyAs.cli} />
      )}
    </span>
  );
}

function curlOf(
  request: string,
  withApiKey: boolean,
  headers: readonly string[],
  body: string | undefined,
): string {
  const [method = 'GET', path = '/'] = request.split(' ');
  const key = withApiKey ? 'GLOVEBOX_API_KEY' : 'GLOVEBOX_MANAGEMENT_KEY';
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H "SVC-API-KEY: $${key}"`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    `'${`${location.origin}${path}`.replaceAll("'", '%27')}'`,
  ].join(' ');
}

/** One argument for a shell of POSIX. */
export function quoted(text: string): string {
  return /^[\w./:=@,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
