import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import type { Page, Token } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Field, Head, Table, Time } from '../parts/parts.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useRight, useSession } from '../session.tsx';
import { texts } from '../texts.ts';

const size = 50;
const filters = ['id', 'container', 'fingerprint', 'type'] as const;

/** Tokens without their values: found by what they are known by, or in the tree of their containers. */
export function Tokens() {
  const right = useRight('token:read');
  const { application } = useSession();
  return (
    <>
      <Head title={texts.nav.tokens} />
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
  const read = useRead<Page<Token>>(`/console/session/tokens?${queryOf(params).toString()}`);
  const container = params.get('container') ?? '';
  const within = (path: string) => setParams(path === '' ? {} : { container: path });
  return (
    <>
      <Search key={params.toString()} params={params} apply={(next) => setParams(next)} />
      <div className="with-tree">
        <nav aria-label={texts.tokens.containers} className="tree">
          <h2>{texts.tokens.containers}</h2>
          <Branch parent="/" here={container} open={within} />
        </nav>
        <div>
          <Loaded query={read}>
            {({ data, pagination }) => (
              <>
                {data.length === 0 ? <Empty>{texts.tokens.none}</Empty> : <Rows tokens={data} />}
                <div className="pager">
                  {params.has('start') && (
                    <button
                      type="button"
                      className="button"
                      onClick={() => setParams((before) => changed(before, 'start', ''))}
                    >
                      {texts.actions.newest}
                    </button>
                  )}
                  {pagination.next !== undefined && (
                    <button
                      type="button"
                      className="button"
                      onClick={() => setParams((before) => changed(before, 'start', pagination.next ?? ''))}
                    >
                      {texts.actions.older}
                    </button>
                  )}
                </div>
              </>
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}

function changed(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}

/** The metadata are one field, `name=value`, and one parameter of the list. */
function queryOf(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams({ size: String(size) });
  for (const name of [...filters, 'start']) {
    const value = params.get(name);
    if (value !== null && value !== '') query.set(name, value);
  }
  const [name = '', ...value] = (params.get('metadata') ?? '').split('=');
  if (name !== '') query.set(`metadata.${name}`, value.join('='));
  return query;
}

function Search({
  params,
  apply,
}: {
  readonly params: URLSearchParams;
  readonly apply: (next: URLSearchParams) => void;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries([...filters, 'metadata'].map((name) => [name, params.get(name) ?? ''])),
  );
  const field = (name: string, label: string, hint?: string) => (
    <Field
      label={label}
      hint={hint}
      value={values[name] ?? ''}
      onChange={(value) => setValues((before) => ({ ...before, [name]: value.trimStart() }))}
    />
  );
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply(new URLSearchParams(Object.entries(values).filter(([, value]) => value.trim() !== '')));
      }}
    >
      {field('id', 'Token id')}
      {field('container', 'Container')}
      {field('fingerprint', 'Fingerprint')}
      {field('metadata', 'Metadata (name=value)')}
      {field('type', 'Type')}
      <button type="submit" className="button primary">
        {texts.actions.apply}
      </button>
      <button type="button" className="button" onClick={() => apply(new URLSearchParams())}>
        {texts.actions.clear}
      </button>
    </form>
  );
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

function Rows({ tokens }: { readonly tokens: readonly Token[] }) {
  return (
    <Table
      label={texts.nav.tokens}
      rows={tokens}
      columns={[
        ['Token', ({ id }) => <Link href={`/tokens/${encodeURIComponent(id)}`}>{id}</Link>],
        ['Type', ({ type }) => type],
        ['Value', ({ data }) => <Masked value={data} />],
        ['Container', ({ containers }) => <code>{containers.join(' ')}</code>],
        ['Expires', ({ expires_at: at }) => (at === undefined ? '–' : <Time at={at} />)],
        ['Created', ({ created_at: at }) => <Time at={at} />],
      ]}
    />
  );
}

/** What the mask leaves of a value. */
export function Masked({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className="faint">{texts.tokens.hidden}</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
