import { useSearchParams } from 'wouter';

import type { Page } from '../api/models.ts';
import { texts } from '../texts.ts';

const size = 20;

/** The page of a list, which is in the address, so that a link leads to it. */
export function usePage() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const go = (to: number) => {
    setParams((before) => {
      const next = new URLSearchParams(before);
      next.set('page', String(to));
      return next;
    });
  };
  return { page, query: `page=${page}&size=${size}`, go };
}

export function Pager({
  pagination,
  go,
}: {
  readonly pagination: Page<unknown>['pagination'];
  readonly go: (page: number) => void;
}) {
  const { page_number: page = 1, total_pages: pages = 1, total_items: items } = pagination;
  if (pages <= 1) return null;
  return (
    <div className="pager">
      <button type="button" className="button" disabled={page <= 1} onClick={() => go(page - 1)}>
        {texts.actions.previous}
      </button>
      <span className="soft">
        {page} / {pages} · {items}
      </span>
      <button type="button" className="button" disabled={page >= pages} onClick={() => go(page + 1)}>
        {texts.actions.next}
      </button>
    </div>
  );
}
