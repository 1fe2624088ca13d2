import type { EnrichError } from '../../core/errors.ts';

/** Answer as an evaluator needs it. */
export interface SentAnswer {
  readonly status: number;
  /** Target of a redirect. */
  readonly location: string | null;
  readonly text: string;
}

/** Evaluates an answer for this source; null for the rules that hold for every source. */
export type Evaluate = (answer: SentAnswer) => EnrichError | null;

/** One request, with `json`, `form` or no body. */
export interface SendRequest {
  readonly method: 'GET' | 'POST';
  /** Values may be secret: they are never part of a message. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly evaluate?: Evaluate;
}

/** Time limit of a request, in milliseconds from its start to the last byte, and size limit of its reply. */
export interface SendBounds {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly bodyBytesMax: number;
}

/** Sends one HTTP request. Returns the text of a 2xx response; everything else is thrown. */
export type Send = (url: URL, request: SendRequest, bounds: SendBounds) => Promise<{ readonly text: string }>;
