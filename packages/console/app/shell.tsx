import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';

import { send } from './api/client.ts';
import { Palette } from './palette.tsx';
import { Icon } from './parts/icons.tsx';
import { places } from './places.ts';
import { forgetAllEvents } from './screens/saved-events.ts';
import { useSession } from './session.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { useShortcuts } from './shortcuts.ts';
import { texts } from './texts.ts';

const { nav: words } = texts;

/** What surrounds each screen: who is signed in where, and the way to the others. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  const [opened, setOpened] = useState<'palette' | 'shortcuts'>();
  const close = () => setOpened(undefined);
  useShortcuts({ palette: () => setOpened('palette'), list: () => setOpened('shortcuts') });
  const nav = useHereInView(location);
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="top">
        <Link className="brand" href="/">
          <Icon name="box" />
          {texts.product}
        </Link>
        <TenantSwitch />
        <button type="button" className="find" onClick={() => setOpened('palette')}>
          <Icon name="search" />
          <span className="grow">{words.find}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <a className="button quiet" href="/docs/" aria-label={words.docs}>
          <Icon name="docs" />
          <span className="docs-name">{words.docs}</span>
        </a>
        <Person />
      </header>
      <nav ref={nav} className="nav" aria-label={words.label}>
        {places.map(([group, own]) => (
          <div key={own[0]?.path} className="group">
            {group !== undefined && <h2>{group}</h2>}
            {own.map(({ path, name, icon }) => {
              const isHere = path === '/' ? location === '/' : location.startsWith(path);
              return (
                <Link key={path} href={path} aria-current={isHere ? 'page' : undefined}>
                  <Icon name={icon} />
                  {name}
                </Link>
              );
            })}
          </div>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {opened === 'palette' && <Palette onClose={close} onShortcuts={() => setOpened('shortcuts')} />}
      {opened === 'shortcuts' && <ShortcutList onClose={close} />}
    </>
  );
}

/** Where the ways to the screens are one line, the present one is in view. */
function useHereInView(location: string) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (here) nav.current?.scrollTo({ left: here.offsetLeft - 60 });
  }, [location]);
  return nav;
}

function TenantSwitch() {
  const { tenant, tenants } = useSession();
  const client = useQueryClient();
  if (tenants.length < 2) return <span className="tenant">{tenant.name}</span>;
  return (
    <select
      className="tenant"
      aria-label={texts.signIn.tenant}
      value={tenant.id}
      onChange={(event) => {
        const body = { tenant_id: event.target.value };
        void send('PUT /console/session/tenant', { body }).then(() => client.resetQueries());
      }}
    >
      {tenants.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Person() {
  const { user, role, application } = useSession();
  const name = user?.email ?? user?.first_name ?? user?.id ?? application?.name ?? application?.id ?? '';
  return (
    <div className="person">
      <span className="who" title={name}>
        {name}
        {role !== undefined && <span className="soft"> · {role}</span>}
      </span>
      <button
        type="button"
        className="button quiet"
        onClick={() => {
          forgetAllEvents();
          void send<{ sign_out_url?: string }>('DELETE /console/session').then(({ sign_out_url: url }) =>
            location.assign(url ?? '/console'),
          );
        }}
      >
        {texts.signIn.out}
      </button>
    </div>
  );
}
