import { type KeyboardEvent as ReactKey, useState } from 'react';
import { useLocation } from 'wouter';

import type { Application, Formula, Page, Proxy, Reactor, Webhook } from './api/models.ts';
import { useRead } from './api/use-api.ts';
import { Dialog } from './parts/parts.tsx';
import { places } from './places.ts';
import { useSession } from './session.tsx';
import { texts } from './texts.ts';

interface Found {
  readonly name: string;
  /** Absent: the list of shortcuts, which has none. */
  readonly path?: string;
  readonly kind: string;
}

/** Finds screens and resources by name, and what can be done. */
export function Palette({
  onClose,
  onShortcuts,
}: {
  readonly onClose: () => void;
  /** In its place. */
  readonly onShortcuts: () => void;
}) {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const found = useFound(wanted.trim());
  const chosen = Math.min(at, found.length - 1);
  const choose = ({ path }: Found) => {
    if (path === undefined) return onShortcuts();
    onClose();
    return go(path);
  };
  const move = (event: ReactKey) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(found.length - 1, chosen + step)));
  };
  return (
    <Dialog title={texts.nav.find} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const one = found[chosen];
          if (one !== undefined) choose(one);
        }}
      >
        <input
          role="combobox"
          aria-label={texts.nav.find}
          aria-expanded
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={found.length === 0 ? undefined : `found-${chosen}`}
          value={wanted}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onKeyDown={move}
          onChange={(event) => {
            setWanted(event.target.value);
            setAt(0);
          }}
        />
      </form>
      {found.length === 0 && <p className="soft">{texts.palette.none}</p>}
      <Options found={found} chosen={chosen} choose={choose} />
    </Dialog>
  );
}

function Options({
  found,
  chosen,
  choose,
}: {
  readonly found: readonly Found[];
  readonly chosen: number;
  readonly choose: (found: Found) => void;
}) {
  return (
    <ul className="found" id="found" role="listbox" aria-label={texts.nav.find}>
      {found.map((one, index) => (
        // The keyboard is in the field above, which says what is chosen.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={`${one.kind} ${one.path ?? one.name}`}
          id={`found-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => choose(one)}
        >
          <span className="grow">{one.name}</span>
          <span className="soft">{one.kind}</span>
        </li>
      ))}
    </ul>
  );
}

const mostFound = 12;

const named = (kind: string, path: string, rows: readonly { id: string; name: string }[] | undefined) =>
  (rows ?? []).map(({ id, name }) => ({ name, kind, path: `${path}/${id}` }));

const screens: readonly Found[] = places.flatMap(([, own]) =>
  own.map(({ name, path }) => ({ name, path, kind: texts.palette.screen })),
);

/** What begins at an address, with the right that it needs. */
const acts = [
  [texts.create.proxy, '/proxies?new', 'proxy:create'],
  [texts.create.reactor, '/reactors?new', 'reactor:create'],
  [texts.create.formula, '/formulas?new', 'reactor:create'],
  [texts.create.application, '/applications?new', 'application:create'],
  [texts.webhooks.create, '/webhooks?new', 'webhooks:create'],
  [texts.palette.failures, '/invocations?outcome=failed', 'proxy:read'],
  [texts.palette.denied, '/audit?outcome=denied', 'log:read'],
  [texts.palette.egress, '/audit?entity_type=egress', 'log:read'],
] as const;

function useFound(wanted: string): readonly Found[] {
  const { permissions } = useSession();
  const may = (permission: string, path: string) =>
    permissions.includes(permission) ? `${path}?size=100` : undefined;
  const proxies = useRead<Page<Proxy>>(may('proxy:read', '/proxies'));
  const reactors = useRead<Page<Reactor>>(may('reactor:read', '/reactors'));
  const formulas = useRead<Page<Formula>>(may('reactor:read', '/reactor-formulas'));
  const applications = useRead<Page<Application>>(may('application:read', '/applications'));
  const webhooks = useRead<Page<Webhook>>(may('webhooks:read', '/webhooks'));
  const { nav } = texts;
  const all: readonly Found[] = [
    ...screens,
    ...acts
      .filter(([, , permission]) => permissions.includes(permission))
      .map(([name, path]) => ({ name, path, kind: texts.palette.act })),
    { name: texts.shortcuts.title, kind: texts.palette.act },
    ...named(nav.proxies, '/proxies', proxies.data?.data),
    ...named(nav.reactors, '/reactors', reactors.data?.data),
    ...named(nav.formulas, '/formulas', formulas.data?.data),
    ...named(nav.applications, '/applications', applications.data?.data),
    ...named(nav.webhooks, '/webhooks', webhooks.data?.data),
  ];
  const lower = wanted.toLowerCase();
  const fitting = all.filter(({ name }) => name.toLowerCase().includes(lower));
  const isId = /^[\w.-]{8,}$/.test(wanted) && permissions.includes('token:read');
  const token = {
    name: texts.palette.token(wanted),
    kind: nav.tokens,
    path: `/tokens/${encodeURIComponent(wanted)}`,
  };
  return [...fitting.slice(0, mostFound), ...(isId ? [token] : [])];
}
