import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import type { Token } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { usePages } from '../api/use-pages.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Field } from '../parts/fields.tsx';
import { Filters, queryOf } from '../parts/filters.tsx';
import { Listed } from '../parts/listed.tsx';
import { Head, Time } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { useRight, useSession } from '../session.tsx';
import { texts } from '../texts.ts';

const size = 50;
const filters = ['id', 'container', 'fingerprint', 'type'] as const;
const words = texts.tokens;
const fields = [
  ['id', words.id],
  ['container', words.container],
  ['fingerprint', words.fingerprint],
  ['metadata', words.metadataFilter],
  ['type', words.type],
] as const;

/** Tokens without their values: found by what they are known by, or in the tree of their containers. */
export function Tokens() {
  const right = useRight('token:read');
  const { application } = useSession();
  const [params] = useSearchParams();
  return (
    <>
      <Head title={texts.nav.tokens}>
        <CopyAs request={`GET /v2/tokens?${addressOf(params).toString()}`} withApiKey />
      </Head>
      {right === undefined ? (
        <Found />
      ) : (
        <p className="note">{application === undefined ? right : texts.tokens.onlyPeople}</p>
      )}
    </>
  );
}

function Found() {
  const [params, setParams] = useSearchParams();
  const pages = usePages<Token>(`/console/session/tokens?${addressOf(params).toString()}`);
  const container = params.get('container') ?? '';
  const within = (path: string) => setParams(path === '' ? {} : { container: path });
  return (
    <>
      <Filters key={params.toString()} names={[...filters, 'metadata']} params={params} apply={setParams}>
        {({ value, set }) =>
          fields.map(([name, label]) => (
            <Field key={name} label={label} value={value(name)} onChange={set(name)} />
          ))
        }
      </Filters>
      <div className="with-tree">
        <nav aria-label={texts.tokens.containers} className="tree">
          <h2>{texts.tokens.containers}</h2>
          <Branch parent="/" here={container} open={within} />
        </nav>
        <Listed pages={pages} label={texts.nav.tokens} columns={columns} empty={texts.tokens.none} />
      </div>
    </>
  );
}

/** The metadata are one field, `name=value`, and one parameter of the list. */
function addressOf(params: URLSearchParams): URLSearchParams {
  const query = queryOf(params, filters);
  query.set('size', String(size));
  const [name = '', ...value] = (params.get('metadata') ?? '').split('=');
  if (name !== '') query.set(`metadata.${name}`, value.join('='));
  return query;
}

interface Containers {
  readonly data: readonly string[];
  readonly more: boolean;
}

/** The containers below one; each opens when it is asked for. */
function Branch({
  parent,
  here,
  open,
}: {
  readonly parent: string;
  readonly here: string;
  readonly open: (container: string) => void;
}) {
  const read = useRead<Containers>(`/console/session/containers?parent=${encodeURIComponent(parent)}`);
  if (read.error !== null) return <Failure error={read.error} />;
  const { data = [], more = false } = read.data ?? {};
  if (read.data !== undefined && data.length === 0) {
    return <p className="soft">{parent === '/' ? texts.tokens.noContainers : texts.tokens.noneBelow}</p>;
  }
  return (
    <ul>
      {data.map((container) => (
        <Twig key={container} container={container} parent={parent} here={here} open={open} />
      ))}
      {more && <li className="soft">{texts.tokens.moreContainers}</li>}
    </ul>
  );
}

function Twig({
  container,
  parent,
  here,
  open,
}: {
  readonly container: string;
  readonly parent: string;
  readonly here: string;
  readonly open: (container: string) => void;
}) {
  const [isOpen, setOpen] = useState(here.startsWith(container) && here !== container);
  return (
    <li>
      <div className="twig">
        <button
          type="button"
          className="button quiet"
          aria-expanded={isOpen}
          aria-label={`${texts.tokens.below} ${container}`}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        </button>
        <button
          type="button"
          className="button quiet"
          aria-current={here === container ? 'true' : undefined}
          onClick={() => open(here === container ? '' : container)}
        >
          {container.slice(parent.length)}
        </button>
      </div>
      {isOpen && <Branch parent={container} here={here} open={open} />}
    </li>
  );
}

const columns: readonly (readonly [title: string, cell: (token: Token) => React.ReactNode])[] = [
  [words.token, ({ id }) => <Link href={`/tokens/${encodeURIComponent(id)}`}>{id}</Link>],
  [words.type, ({ type }) => type],
  [words.value, ({ data }) => <Masked value={data} />],
  [words.container, ({ containers }) => <code>{containers.join(' ')}</code>],
  [words.expires, ({ expires_at: at }) => (at === undefined ? '–' : <Time at={at} />)],
  [texts.columns.created, ({ created_at: at }) => <Time at={at} />],
];

/** What the mask leaves of a value. */
export function Masked({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className="faint">{texts.tokens.hidden}</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
