import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';

import type { Formula, Proxy, Reactor, Transform } from '../api/models.ts';
import { useReadVersioned } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyAs } from '../parts/copy-as.tsx';
import { Action, Head, Id } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { definitionLines } from './definition-text.ts';
import { type CodePlace, EditCode } from './edit-code.tsx';
import { EditSettings } from './edit-settings.tsx';
import { Rollout } from './rollout.tsx';
import { SubjectFigures } from './subject-figures.tsx';
import { ofProxies, ofReactors } from './try-panel.tsx';
import { Versions } from './versions.tsx';

type Kind = 'proxies' | 'reactors' | 'formulas';
type Any = Proxy | Reactor | Formula;

interface Description {
  readonly api: string;
  readonly rights: 'proxy' | 'reactor';
  readonly title: string;
  /** Of the command line. */
  readonly cli: string;
}

const kinds: Readonly<Record<Kind, Description>> = {
  proxies: { api: '/proxies', rights: 'proxy', title: texts.nav.proxies, cli: 'proxy' },
  reactors: { api: '/reactors', rights: 'reactor', title: texts.nav.reactors, cli: 'reactor' },
  formulas: { api: '/reactor-formulas', rights: 'reactor', title: texts.nav.formulas, cli: 'formula' },
};

const tabs = ['settings', 'code', 'versions', 'rollout'] as const;
/** A formula is part of both versions. */
const tabsOf = (kind: Kind) => tabs.filter((tab) => tab !== 'rollout' || kind !== 'formulas');

/** One proxy, reactor or formula. */
export function Resource({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { api, rights, title, cli } = kinds[kind];
  const update = `${rights}:update`;
  const path = `${api}/${encodeURIComponent(id)}`;
  const query = useReadVersioned<Any>(path);
  const [params, setParams] = useSearchParams();
  const shown = tabsOf(kind).find((tab) => tab === params.get('tab')) ?? 'settings';
  return (
    <>
      <p className="soft back">
        <Link href={`/${kind}`}>{title}</Link>
      </p>
      <Loaded query={query}>
        {({ data, etag }) => (
          <>
            <Head title={data.name}>
              <Id value={data.id} />
              {kind !== 'formulas' && <SubjectFigures id={data.id} />}
              <CopyAs
                request={`GET ${path}${shown === 'versions' || shown === 'rollout' ? `/${shown}` : ''}`}
                cli={[shown === 'rollout' ? 'rollout' : 'versions', cli, data.id]}
              />
              <Delete kind={kind} data={data} path={path} etag={etag} />
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
                  {texts.tabs[tab]}
                </button>
              ))}
            </div>
            <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${shown}`}>
              {shown === 'settings' && <Settings data={data} path={path} etag={etag} permission={update} />}
              {shown === 'code' && (
                <Code key={etag} kind={kind} data={data} path={path} etag={etag} permission={update} />
              )}
              {shown === 'versions' && <Versions path={path} permission={update} />}
              {shown === 'rollout' && <Rollout path={path} permission={update} />}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

interface Shown {
  readonly data: Any;
  readonly path: string;
  readonly etag: string | undefined;
  readonly permission: string;
}

function Settings(props: Shown) {
  const { data, permission } = props;
  const right = useRight(permission);
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <EditSettings key={props.etag} {...props} />;
  return (
    <>
      <dl className="definition">
        {definitionLines(data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value.includes('\n') ? <pre>{value}</pre> : <code>{value}</code>}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Action right={right} onClick={() => setEditing(true)}>
          {texts.settings.edit}
        </Action>
      </p>
    </>
  );
}

function Delete({
  kind,
  data,
  path,
  etag,
}: {
  readonly kind: Kind;
  readonly data: Any;
  readonly path: string;
  readonly etag: string | undefined;
}) {
  const right = useRight(`${kinds[kind].rights}:delete`);
  const [, go] = useLocation();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Action danger right={right} onClick={() => setAsked(true)}>
        {texts.actions.delete}
      </Action>
      {isAsked && (
        <Confirm
          title={texts.confirm.deleteTitle(data.name)}
          action={texts.actions.delete}
          act={{ request: `DELETE ${path}`, ifMatch: etag }}
          onClose={() => setAsked(false)}
          onDone={() => go(`/${kind}`)}
        >
          <p>{texts.confirm.deleteEffect[kind]}</p>
          {kind !== 'formulas' && (
            <p>
              <SubjectFigures id={data.id} />
            </p>
          )}
        </Confirm>
      )}
    </>
  );
}

function placesOf(kind: Kind, data: Any): readonly CodePlace[] {
  if (kind === 'formulas') {
    const { code = '' } = data as Formula;
    const replace = (next: string) => ({ body: { ...data, code: next }, isPatch: false });
    return [{ name: 'code', code, replace, trial: ofReactors }];
  }
  if (kind === 'reactors') {
    const { code } = data as Reactor;
    const replace = (next: string) => ({ body: { code: next }, isPatch: true });
    return code === undefined ? [] : [{ name: 'code', code, replace, trial: ofReactors }];
  }
  const proxy = data as Proxy;
  return (['request_transform', 'response_transform'] as const).flatMap((name) => {
    const transform: Transform = proxy[name] ?? {};
    if (transform.code === undefined && proxy[`${name}s`] !== undefined) return [];
    const replace = (code: string) => ({
      body: { [name]: code.trim() === '' ? null : { ...transform, code } },
      isPatch: true,
    });
    const side = name === 'request_transform' ? 'request' : 'response';
    const trial = { ...ofProxies, side } as const;
    return [{ name, code: transform.code ?? '', replace, trial }];
  });
}

function Code(props: Shown & { readonly kind: Kind }) {
  const { kind, data, path, etag, permission } = props;
  const [params, setParams] = useSearchParams();
  const places = placesOf(kind, data);
  const place = places.find(({ name }) => name === params.get('place')) ?? places[0];
  if (place === undefined) {
    const formula = (data as Reactor).formula?.id;
    return (
      <p className="note">
        {formula === undefined ? texts.code.none : texts.code.ofFormula}{' '}
        {formula !== undefined && <Link href={`/formulas/${formula}?tab=code`}>{texts.code.open}</Link>}
      </p>
    );
  }
  return (
    <>
      {places.length > 1 && (
        <div className="segments">
          {places.map(({ name }) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === place.name}
              onClick={() => setParams({ tab: 'code', place: name })}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <EditCode key={place.name} place={place} path={path} etag={etag} permission={permission} />
    </>
  );
}
