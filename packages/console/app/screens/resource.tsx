import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import type { Formula, Proxy, Reactor, Transform } from '../api/models.ts';
import { useReadVersioned } from '../api/use-api.ts';
import { CopyAsCurl, Head, Id } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import { definitionLines } from './definition-text.ts';
import { type CodePlace, EditCode } from './edit-code.tsx';
import { Rollout } from './rollout.tsx';
import { Versions } from './versions.tsx';

type Kind = 'proxies' | 'reactors' | 'formulas';
type Any = Proxy | Reactor | Formula;

interface Description {
  readonly api: string;
  readonly update: string;
  readonly title: string;
}

const kinds: Readonly<Record<Kind, Description>> = {
  proxies: { api: '/proxies', update: 'proxy:update', title: texts.nav.proxies },
  reactors: { api: '/reactors', update: 'reactor:update', title: texts.nav.reactors },
  formulas: { api: '/reactor-formulas', update: 'reactor:update', title: texts.nav.formulas },
};

const tabs = ['settings', 'code', 'versions', 'rollout'] as const;
type Tab = (typeof tabs)[number];
const tabNames: Readonly<Record<Tab, string>> = {
  settings: 'Settings',
  code: 'Code',
  versions: 'Versions',
  rollout: 'Rollout',
};
/** A formula is part of both versions. */
const tabsOf = (kind: Kind) => tabs.filter((tab) => tab !== 'rollout' || kind !== 'formulas');

/** One proxy, reactor or formula. */
export function Resource({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { api, update, title } = kinds[kind];
  const path = `${api}/${encodeURIComponent(id)}`;
  const query = useReadVersioned<Any>(path);
  const [params, setParams] = useSearchParams();
  const shown = tabsOf(kind).find((tab) => tab === params.get('tab')) ?? 'settings';
  return (
    <Loaded query={query}>
      {({ data, etag }) => (
        <>
          <p className="soft">
            <Link href={`/${kind}`}>{title}</Link>
          </p>
          <Head title={data.name}>
            <Id value={data.id} />
            <CopyAsCurl request={`GET ${path}`} />
          </Head>
          <div className="tabs" role="tablist" aria-label={data.name}>
            {tabsOf(kind).map((tab) => (
              <button
                key={tab}
                type="button"
                role="tab"
                id={`tab-${tab}`}
                aria-selected={tab === shown}
                aria-controls="tab-panel"
                onClick={() => setParams({ tab })}
              >
                {tabNames[tab]}
              </button>
            ))}
          </div>
          <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${shown}`}>
            {shown === 'settings' && <Definition of={data} />}
            {shown === 'code' && (
              <Code key={etag} kind={kind} data={data} path={path} etag={etag} permission={update} />
            )}
            {shown === 'versions' && <Versions path={path} permission={update} />}
            {shown === 'rollout' && <Rollout path={path} permission={update} />}
          </div>
        </>
      )}
    </Loaded>
  );
}

function Definition({ of }: { readonly of: Any }) {
  return (
    <dl className="definition">
      {definitionLines(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value.includes('\n') ? <pre>{value}</pre> : <code>{value}</code>}</dd>
        </div>
      ))}
    </dl>
  );
}

function placesOf(kind: Kind, data: Any): readonly CodePlace[] {
  if (kind === 'formulas') {
    const { code = '' } = data as Formula;
    const replace = (next: string) => ({ body: { ...data, code: next }, isPatch: false });
    const trial = { path: '/reactor-formulas/try', permissions: ['reactor:create', 'reactor:update'] };
    return [{ name: 'code', code, replace, trial }];
  }
  if (kind === 'reactors') return [];
  const proxy = data as Proxy;
  return (['request_transform', 'response_transform'] as const).flatMap((name) => {
    const transform: Transform = proxy[name] ?? {};
    if (transform.code === undefined && proxy[`${name}s`] !== undefined) return [];
    const replace = (code: string) => ({
      body: { [name]: code.trim() === '' ? null : { ...transform, code } },
      isPatch: true,
    });
    const side = name === 'request_transform' ? 'request' : 'response';
    const trial = { path: '/proxies/try', permissions: ['proxy:create', 'proxy:update'], side } as const;
    return [{ name, code: transform.code ?? '', replace, trial }];
  });
}

function Code(props: {
  readonly kind: Kind;
  readonly data: Any;
  readonly path: string;
  readonly etag: string | undefined;
  readonly permission: string;
}) {
  const { kind, data, path, etag, permission } = props;
  const places = placesOf(kind, data);
  const [index, setIndex] = useState(0);
  const place = places[index];
  if (place === undefined) {
    const formula = (data as Reactor).formula?.id;
    return (
      <p className="note">
        The code of a reactor is that of its formula.{' '}
        {formula !== undefined && <Link href={`/formulas/${formula}?tab=code`}>Open it</Link>}
      </p>
    );
  }
  return (
    <>
      {places.length > 1 && (
        <div className="segments">
          {places.map(({ name }, at) => (
            <button key={name} type="button" aria-pressed={at === index} onClick={() => setIndex(at)}>
              {name}
            </button>
          ))}
        </div>
      )}
      <EditCode key={place.name} place={place} path={path} etag={etag} permission={permission} />
    </>
  );
}
