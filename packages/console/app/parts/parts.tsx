import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { texts } from '../texts.ts';

/** A time as the reader's clock shows it; the whole one on hovering. */
export function Time({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span className="faint">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toISOString()} className="nowrap">
      {date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  );
}

/** An id, cut; the whole one is copied. */
export function Id({ value }: { readonly value: string | undefined }) {
  if (value === undefined) return <span className="faint">–</span>;
  return (
    <code title={value} className="nowrap">
      {value.length > 13 ? `${value.slice(0, 8)}…` : value}
    </code>
  );
}

export function Badge({
  tone,
  children,
}: {
  readonly tone?: 'bad' | 'warn' | undefined;
  readonly children: ReactNode;
}) {
  return <span className={tone === undefined ? 'badge' : `badge ${tone}`}>{children}</span>;
}

export function CopyButton({
  text,
  label = texts.actions.copy,
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="button quiet"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
    >
      {isCopied ? texts.actions.copied : label}
    </button>
  );
}

/** The command that shows the same. @param request e.g. `GET /proxies` */
export function CopyAsCurl({ request }: { readonly request: string }) {
  const [method = 'GET', path = '/'] = request.split(' ');
  const option = method === 'GET' ? '' : `-X ${method} `;
  const address = `${location.origin}${path}`.replaceAll("'", '%27');
  const text = `curl ${option}-H "SVC-API-KEY: $GLOVEBOX_MANAGEMENT_KEY" '${address}'`;
  return <CopyButton text={text} label={texts.actions.copyCurl} />;
}

/** The head of a screen. */
export function Head({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <div className="head">
      <h1>{title}</h1>
      <span className="grow" />
      {children}
    </div>
  );
}

/** A button that says why it cannot be used. */
export function Action({
  right,
  children,
  onClick,
  primary,
  danger,
}: {
  /** Undefined: the person may. */
  readonly right: string | undefined;
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly primary?: boolean;
  readonly danger?: boolean;
}) {
  const id = useId();
  const tone = primary === true ? ' primary' : danger === true ? ' danger' : '';
  return (
    <>
      <button
        type="button"
        className={`button${tone}`}
        aria-disabled={right !== undefined}
        aria-describedby={right === undefined ? undefined : id}
        title={right}
        onClick={right === undefined ? onClick : undefined}
      >
        {children}
      </button>
      {right !== undefined && (
        <span id={id} className="hidden">
          {right}
        </span>
      )}
    </>
  );
}

/** A modal dialog, which the browser keeps the focus in. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** A text field with its label and hint. */
export function Field({
  label,
  hint,
  value,
  onChange,
  type = 'text',
  required,
  problem,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'email' | 'url';
  readonly required?: boolean;
  readonly problem?: string | undefined;
}) {
  const id = useId();
  const described = hint !== undefined || problem !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={value}
        required={required}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={described ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {described && (
        <span id={`${id}-hint`} className={problem === undefined ? 'soft' : 'bad'}>
          {problem ?? hint}
        </span>
      )}
    </div>
  );
}

export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, shown: string])[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, shown]) => (
          <option key={option} value={option}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Rows of a list; each cell may be anything. */
export function Table<T extends { readonly id: string | number }>({
  label,
  columns,
  rows,
}: {
  readonly label: string;
  readonly columns: readonly (readonly [title: string, cell: (row: T) => ReactNode])[];
  readonly rows: readonly T[];
}) {
  return (
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([title]) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(([title, cell]) => (
                <td key={title}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
