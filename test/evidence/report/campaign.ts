/** How much a campaign does: in CI a seeded sample, for the page everything. */
export type Scale = 'sample' | 'full';

export interface CampaignOptions {
  readonly seed: number;
  readonly scale: Scale;
  /** Hears how far it is. */
  readonly say: (line: string) => void;
}

/** Rows of text below a heading; the first row names the columns. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Horizontal bars, longest value to the right edge. */
export interface Bars {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
  /** Drawn as a line across the bars. */
  readonly limit?: number;
}

/** What a campaign found. */
export interface Findings {
  /** How often the guarantee was put to the test. */
  readonly cases: number;
  /** Each says enough to see it again. None: the guarantee held. */
  readonly failures: readonly string[];
  readonly tables: readonly Table[];
  readonly bars?: Bars;
  /** What a reader has to know to judge the figures. */
  readonly notes?: readonly string[];
}

/** An attack on one guarantee, which can be run again with the same seed. */
export interface Campaign {
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly guarantee: string;
  /** What is done, and what counts as a failure. */
  readonly method: string;
  /** It takes so long that it runs only where it is named. */
  readonly isOnlyByName?: boolean;
  run(options: CampaignOptions): Promise<Findings>;
}
