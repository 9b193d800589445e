/**
 * The points between which a process may die. A test that stops it at each of them proves that nothing gets lost.
 */
export const steps = [
  'appended',
  'answer-sealed',
  'committed',
  'locked',
  'turn-taken',
  'entries-read',
  'entry-published',
  'entries-deleted',
  'turn-committed',
  'events-handed-on',
  'rebuild-begun',
  'rebuild-page-written',
  'rebuild-leftovers-removed',
  'rebuild-marked',
  'rebuild-entries-deleted',
] as const;

export type Step = (typeof steps)[number];

export type OnStep = (step: Step) => void;
