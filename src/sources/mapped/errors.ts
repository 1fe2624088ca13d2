import { SourceRefused, SourceThrottled, SourceUnavailable, type EnrichError } from '../../core/errors.ts';
import { vendorMessage } from '../../adapters/http/vendor-message.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { holds } from './condition.ts';
import type { Meaning, SourceMap } from './map-shape.ts';

/**
 * Evaluator of a mapped source's answers: returns the error in a successful answer that one of the map's conditions matches,
 * with the vendor's message, in which `secrets` are masked.
 */
export function evaluateBy(map: SourceMap, secrets: readonly string[] = []) {
  return ({ status, text }: { readonly status: number; readonly text: string }): EnrichError | null => {
    if (status < 200 || status > 299 || map.errors.length === 0) return null;
    const found = errorIn(parseLeniently(text), map);
    return found === undefined
      ? null
      : failures[found.means](
          `${map.label} answered an error (${found.when.path.text})`,
          vendorMessage(text, secrets),
        );
  };
}

/** The first of the map's errors that the reply matches. */
export function errorIn(reply: unknown, { errors }: SourceMap): SourceMap['errors'][number] | undefined {
  return errors.find(
    ({ when, unless }) => holds(when, reply) && (unless === undefined || !holds(unless, reply)),
  );
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
