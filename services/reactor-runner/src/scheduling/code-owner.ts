/** The proxy or reactor whose code a run is, in whose log it is found. */
export interface CodeOwner {
  readonly id: string;
  /** Of a proxy: which of its transforms. */
  readonly side?: 'request' | 'response';
}
