import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';

import type { Application, Formula, Page, Proxy, Reactor } from './api/models.ts';
import { useRead } from './api/use-api.ts';
import { Dialog } from './parts/parts.tsx';
import { places } from './places.ts';
import { texts } from './texts.ts';

/** Ctrl K, or ⌘K. */
export function useShortcut(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);
}

interface Found {
  readonly name: string;
  readonly path: string;
  readonly kind: string;
}

/** Finds screens and resources by name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [wanted, setWanted] = useState('');
  const [, go] = useLocation();
  const found = useFound(wanted);
  const choose = (path: string) => {
    onClose();
    go(path);
  };
  return (
    <Dialog title={texts.nav.find} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) choose(found[0].path);
        }}
      >
        <input
          aria-label={texts.nav.find}
          value={wanted}
          autoFocus
          onChange={(event) => setWanted(event.target.value)}
        />
      </form>
      <ul className="found">
        {found.map(({ name, path, kind }) => (
          <li key={path}>
            <button type="button" onClick={() => choose(path)}>
              <span className="grow">{name}</span>
              <span className="soft">{kind}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const mostFound = 12;

function useFound(wanted: string): readonly Found[] {
  const all = '?size=100';
  const proxies = useRead<Page<Proxy>>(`/proxies${all}`).data?.data ?? [];
  const reactors = useRead<Page<Reactor>>(`/reactors${all}`).data?.data ?? [];
  const formulas = useRead<Page<Formula>>(`/reactor-formulas${all}`).data?.data ?? [];
  const applications = useRead<Page<Application>>(`/applications${all}`).data?.data ?? [];
  const named = (kind: string, path: string, rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ name, kind, path: `${path}/${id}` }));
  const screens = places.flatMap(([, own]) => own.map(({ name, path }) => ({ name, path, kind: '' })));
  const { nav } = texts;
  return [
    ...screens,
    ...named(nav.proxies, '/proxies', proxies),
    ...named(nav.reactors, '/reactors', reactors),
    ...named(nav.formulas, '/formulas', formulas),
    ...named(nav.applications, '/applications', applications),
  ]
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, mostFound);
}
