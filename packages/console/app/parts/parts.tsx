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
  name,
}: {
  readonly text: string;
  readonly label?: string;
  /** What the label means, where a screen reader does not read what is beside it. */
  readonly name?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="button quiet"
      aria-label={isCopied ? undefined : name}
      title={name === undefined ? undefined : text}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
    >
      {isCopied ? texts.actions.copied : label}
    </button>
  );
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
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => {
        // The event comes later: meanwhile it may have been opened again.
        if (dialog.current?.open !== true) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The last row of a dialog that has nothing else to press. */
export function CloseRow({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className="row end">
      <button type="button" className="button" onClick={onClose}>
        {texts.actions.close}
      </button>
    </div>
  );
}
