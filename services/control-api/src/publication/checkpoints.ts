/**
 * The points between which a process may die. A test that stops it at each of them proves that nothing gets lost.
 */
export const steps = [
  'appended',
  'answer-sealed',
  'committed',
  'locked',
  'fencing-token-set',
  'entries-read',
  'entries-published',
  'entries-deleted',
  'round-committed',
  'events-handed-on',
  'rebuild-begun',
  'rebuild-page-written',
  'rebuild-leftovers-removed',
  'rebuild-marked',
  'rebuild-entries-deleted',
] as const;

export type Checkpoint = (typeof steps)[number];

export type OnCheckpoint = (step: Checkpoint) => void;
