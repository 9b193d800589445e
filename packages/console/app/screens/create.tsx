import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';

import { useWrite } from '../api/use-api.ts';
import { Action, CopyButton, Dialog } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

const words = texts.create;

/** What was made, with what is shown this once. */
interface Made {
  readonly id: string;
  readonly key?: string;
  readonly secret?: string;
}

interface CreateProps {
  readonly title: string;
  readonly permission: string;
  /** E.g. `POST /proxies`; undefined while something is missing. */
  readonly request: string;
  readonly body: unknown;
  readonly isReady: boolean;
  /** The page of what was made. */
  readonly pathOf: (id: string) => string;
  readonly children: ReactNode;
}

/** A button that opens the form for something new, which `?new` in the address opens too. */
export function Create(props: CreateProps) {
  const { title, permission } = props;
  const right = useRight(permission);
  const [params, setParams] = useSearchParams();
  const isOpen = params.has('new') && right === undefined;
  return (
    <>
      <Action primary right={right} onClick={() => setParams({ new: '' })}>
        {title}
      </Action>
      {isOpen && <Form {...props} onClose={() => setParams({})} />}
    </>
  );
}

function Form({
  title,
  request,
  body,
  isReady,
  pathOf,
  children,
  onClose,
}: CreateProps & { readonly onClose: () => void }) {
  const [, go] = useLocation();
  const [made, setMade] = useState<Made>();
  const write = useWrite<Made>((answer) => {
    if (answer.key === undefined && answer.secret === undefined) go(pathOf(answer.id));
    else setMade(answer);
  });
  if (made !== undefined) {
    return (
      <Dialog title={words.made} onClose={() => go(pathOf(made.id))}>
        <Once secret={made.key ?? made.secret ?? ''} />
        <div className="row end">
          <button type="button" className="button primary" onClick={() => go(pathOf(made.id))}>
            {words.goOn}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate({ request, body });
        }}
      >
        {children}
        {write.error !== null && <Failure error={write.error} />}
        <div className="row end">
          <button type="button" className="button" onClick={onClose}>
            {texts.actions.cancel}
          </button>
          <button type="submit" className="button primary" disabled={write.isPending || !isReady}>
            {texts.actions.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A secret that nothing shows again. */
export function Once({ secret, hint = words.once }: { readonly secret: string; readonly hint?: string }) {
  return (
    <div className="once" role="status">
      <div className="command">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
      <p className="soft">{hint}</p>
    </div>
  );
}
