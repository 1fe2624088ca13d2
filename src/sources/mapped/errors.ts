import { SourceRefused, SourceThrottled, SourceUnavailable, type EnrichError } from '../../core/errors.ts';
import { vendorMessage } from '../../adapters/http/vendor-message.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { holds } from './condition.ts';
import type { ErrorMap, Meaning, SourceMap } from './map-shape.ts';

/** An answer, as far as errors depend on it. */
interface Answer {
  readonly status: number;
  readonly text: string;
  /** Delay that the vendor asks for, milliseconds. */
  readonly retryAfterMs?: number | null;
}

/**
 * Evaluator of a mapped source's answers: returns the error in an answer that one of the map's conditions matches, with the
 * vendor's message, in which `secrets` are masked.
 */
export function evaluateBy(map: SourceMap, secrets: readonly string[] = []) {
  return ({ status, text, retryAfterMs = null }: Answer): EnrichError | null => {
    if (map.errors.length === 0) return null;
    const found = errorIn(parseLeniently(text), map, status);
    if (found === undefined) return null;
    const reason = found.when === undefined ? status : found.when.path.text;
    const failed = failures[found.means](
      `${map.label} answered an error (${reason})`,
      vendorMessage(text, secrets),
    );
    const isDelayed = failed instanceof SourceThrottled && retryAfterMs !== null;
    return isDelayed ? new SourceThrottled(failed.message, { delayMs: retryAfterMs }) : failed;
  };
}

/** The first of the map's errors that an answer with this status matches. */
export function errorIn(reply: unknown, { errors }: SourceMap, status = 200): ErrorMap | undefined {
  return errors.find(
    ({ status: statuses, when, unless }) =>
      (statuses === undefined ? isSuccess(status) : statuses.includes(status)) &&
      (when === undefined || holds(when, reply)) &&
      (unless === undefined || !holds(unless, reply)),
  );
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

const refused = (status: number, remedy: string) => (answered: string, vendorMessage: string | null) =>
  new SourceRefused(`${answered}: ${remedy}`, { status, vendorMessage });

const failures: Readonly<Record<Meaning, (answered: string, vendorMessage: string | null) => EnrichError>> = {
  refused: refused(400, 'it refuses the request'),
  key_refused: refused(401, 'check the key'),
  out_of_credits: refused(402, 'the account there is out of credits'),
  slow_down: (answered) => new SourceThrottled(`${answered}: it asks us to slow down`),
  failed: (answered) => new SourceUnavailable(answered, { inDoubt: false }),
};
