import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Icon } from './icons.tsx';

/** A failure with its trace id and the page that explains it. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const isApi = error instanceof ApiError;
  const title = isApi && error.status === 403 ? texts.states.noRight : undefined;
  return (
    <div className="note bad" role="alert">
      <Icon name="warning" />
      <div>
        {title !== undefined && <strong>{title}. </strong>}
        {isApi && error.status === 412 ? texts.errors.conflict : error.message}
        {isApi &&
          Object.entries(error.fields).map(([field, problems]) => (
            <div key={field}>
              <code>{field}</code> {problems.join('; ')}
            </div>
          ))}
        {isApi && error.traceId !== undefined && (
          <div className="soft">
            {texts.states.trace} <code>{error.traceId}</code>
            {error.docUrl !== undefined && (
              <>
                {' · '}
                <a href={`/docs/errors#${encodeURIComponent(error.code)}`}>{texts.states.help}</a>
              </>
            )}
          </div>
        )}
        {retry !== undefined && (
          <button type="button" className="button" onClick={retry}>
            {texts.actions.retry}
          </button>
        )}
      </div>
    </div>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className="empty">{children}</div>;
}

/** Shows what was read, or why it is not there. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) {
    return (
      <p className="soft" role="status">
        {texts.states.loading}
      </p>
    );
  }
  return children(query.data);
}
