import type { AdsQuestion, LiveAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { searchWays } from '../../core/sources/search-ways.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import { LoopDetected, viaHeader } from '../../core/sources/source-errors.ts';
import type { CompanyQuery } from '../../core/companies/company.ts';
import type { EnrichError } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { bucketOf, parseBaseUrl, parseKey } from '../calls/credentials.ts';
import { parseAnswer, toRequest } from './wire.ts';

/** URL and limits of a server that implements the contract. */
export interface UpstreamOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Base URL, the part before `/v1`: http or https, without user, query or fragment. */
  readonly url: string;
  /** API key of that server, sent as `X-API-Key` (docs/architecture/contract.md, 5). A secret. */
  readonly key: string;
  readonly limits: SourceLimits;
  /** True when that server honours `Idempotency-Key`: a call that was cut off may be sent again under the same key. */
  readonly idempotent: boolean;
  /** Identifies this installation, to reject lookups that come back to it. */
  readonly installation: string;
}

const bodyBytesMax = 10_000_000;

/**
 * The ad source `upstream`: any server that implements the contract, including Nightshift.
 *
 * Answers may have up to 10 MB. The charge of the server goes into its bill; it never decides a price of ours.
 *
 * @throws Misconfigured when the URL or the key cannot be used.
 */
export function createUpstreamSource(options: UpstreamOptions): LiveAdSource {
  const { http, limits, idempotent, installation } = options;
  const base = parseBaseUrl('upstream', options.url);
  const key = parseKey('upstream', options.key);
  const url = new URL(`${base}/v1/ads/google-ads-search`);
  const bounds = { deadlineMs: limits.deadlineMs, bodyBytesMax };
  return {
    kind: 'live',
    name: 'upstream',
    ownMapping: googleMapping,
    bucket: bucketOf('upstream', base, key),
    limits,
    idempotent,
    findAds: async (question, executor) => {
      const { company, requestKey, via } = question;
      const whom = askedFor(question);
      if (whom.domain === null && whom.name === null) return { kind: 'no_match' };
      return executor<AdsAnswer>({
        about: `ads of ${namesOf(whom)}`,
        unitsMax: 1,
        send: (signal) =>
          http.send(
            url,
            {
              method: 'POST',
              headers: {
                'x-api-key': key,
                'idempotency-key': requestKey,
                [viaHeader]: [...via, installation].join(', '),
              },
              json: toRequest(whom),
              evaluate: refusedLoop,
              secrets: [key],
            },
            { ...bounds, signal },
          ),
        read: (reply) => {
          const { answer, charged } = parseAnswer(reply, company.domain === null ? 'name' : 'domain');
          const says = answer.kind === 'found' || answer.kind === 'no_match' ? answer.kind : 'none';
          return {
            value: answer,
            says,
            units: Number(says === 'found'),
            ...(charged === null ? {} : { charged }),
          };
        },
      });
    },
  };
}

/** Fields of the company that the server receives: a name beside a domain that it does not fit could decide there. */
function askedFor(question: AdsQuestion): Pick<CompanyQuery, 'domain' | 'name'> {
  const name = searchWays(question).find((way) => way.by === 'name')?.name ?? null;
  return { domain: question.company.domain, name };
}

function namesOf({ domain, name }: Pick<CompanyQuery, 'domain' | 'name'>): string {
  return [domain, name].filter((each) => each !== null).join(', ');
}

/** RFC 5842 §7.2: the lookup has come back in a loop. */
function refusedLoop({ status }: { readonly status: number }): EnrichError | null {
  if (status !== 508) return null;
  return new LoopDetected(
    'The upstream leads back to this service: point NIGHTSHIFT_UPSTREAM_URL at another one.',
  );
}
