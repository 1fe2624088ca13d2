import { describe, expect, onTestFinished, test } from 'vitest';
import type { AdsQuestion } from '../../../../src/core/sources/ad-source.ts';
import { anySearch } from '../../../../src/core/ads/ads-answer.ts';
import { parseCompany } from '../../../../src/core/companies/company.ts';
import type { CompanyMapping } from '../../../../src/core/companies/company-mapping.ts';
import { fullId, platformId } from '../../../../src/core/companies/platform-id.ts';
import { limitAnswer } from '../../../../src/core/sources/limit-answer.ts';
import { createBigQuerySource } from '../../../../src/sources/bigquery/source.ts';
import { fetchSend } from '../../../support/api/fetch-send.ts';
import { noLimits } from '../../../support/api/no-limits.ts';
import { openBigQueryStandIn, type StandInCreative } from '../../../support/sources/bigquery.ts';
import { advertiserId, makeCreative } from '../../../support/sources/creatives.ts';
import { plainExchange, questionAbout } from '../../../support/sources/plain-exchange.ts';

const days = { DE: ['2026-01-02', '2026-02-03'] } as const;

/** A creative of the nth advertiser, with its name. */
function ad(advertiser: number, name: string, rest: Partial<StandInCreative> = {}): StandInCreative {
  return makeCreative(advertiser, advertiser * 100, days, { advertiser_disclosed_name: name, ...rest });
}

const rows = [
  ad(1, 'Nike, Inc.', { advertiser_location: 'US' }),
  ad(2, 'NIKE Retail B.V.', { advertiser_location: 'NL' }),
  ad(3, 'Nike Deutschland GmbH', { advertiser_location: 'DE' }),
  ad(4, 'NK Sales', { advertiser_legal_name: 'Nike France SAS', advertiser_location: 'FR' }),
  ad(5, 'Nike Media', { advertiser_location: 'PL', advertiser_verification_status: 'UNVERIFIED' }),
  ad(6, 'Autohaus Nike Müller'),
  ad(7, 'Puma SE'),
  ad(8, 'Zeta GmbH'),
];

async function fixture(creatives: readonly StandInCreative[] = rows) {
  const standIn = await openBigQueryStandIn({ rows: creatives, wantsToken: false, pageRowsMax: 100 });
  onTestFinished(standIn.close);
  const source = createBigQuerySource({
    send: fetchSend,
    url: standIn.baseUrl,
    projectId: standIn.projectId,
    credentials: null,
    maximumBytesBilled: 50n * 2n ** 30n,
    limits: { ...noLimits, deadlineMs: 10_000 },
  });
  const { exchange } = plainExchange();
  /** The answers of the source, as they are stored. */
  const find = async (...questions: AdsQuestion[]) => {
    const answers = await source.findAds(questions, exchange);
    return questions.flatMap((question, i) => {
      const answer = answers[i];
      return answer === undefined ? [] : [limitAnswer(answer, question, anySearch)];
    });
  };
  return { standIn, find };
}

function about(company: { name?: string; domain?: string }, changes: Partial<AdsQuestion> = {}): AdsQuestion {
  const parsed = parseCompany(company);
  if (parsed.kind === 'rejected') throw new Error(parsed.reason);
  return questionAbout(parsed.company, changes);
}

const mapped = (...roles: readonly [number, CompanyMapping[number]['role']][]): CompanyMapping =>
  roles.map(([n, role]) => ({ advertiserId: fullId(advertiserId(n)), role }));

/** Numbers of the advertisers in an answer and of its candidates. */
function numbersIn(
  answer: Awaited<ReturnType<Awaited<ReturnType<typeof fixture>>['find']>>[number] | undefined,
) {
  const numberOf = (id: string | null) => Number(platformId(id ?? '').slice(2));
  if (
    answer === undefined ||
    answer.kind === 'stored' ||
    answer.kind === 'repeated' ||
    answer.kind === 'none'
  )
    return answer?.kind;
  return {
    ads: answer.kind === 'found' ? answer.ads.map((each) => numberOf(each.advertiserId)) : [],
    candidates: (answer.candidates ?? []).map((each) => numberOf(each.advertiserId)),
  };
}

const nike = { ads: [1, 2, 3, 4], candidates: [5] };

describe('a company is found with its subsidiaries', () => {
  test.each([
    ['its name', { name: 'Nike' }, 'name'],
    ['its name with a legal form', { name: 'Nike Inc' }, 'name'],
    ['its name as the data have it', { name: 'NIKE, INC.' }, 'name'],
    ['its domain', { domain: 'nike.com' }, 'domain_label'],
    ['both', { domain: 'nike.com', name: 'Nike' }, 'name'],
    [
      'its domain, beside the name of another company',
      { domain: 'nike.com', name: 'PUMA SE' },
      'domain_label',
    ],
  ] as const)('by %s', async (_, company, matchedBy) => {
    const { standIn, find } = await fixture();
    const [answer] = await find(about(company));
    expect(answer).toMatchObject({
      kind: 'found',
      matchedBy,
      extent: { partial: true, partialReason: 'uncertain_advertisers' },
    });
    expect(numbersIn(answer)).toEqual(nike);
    expect(standIn.jobs()).toBe(1);
  });

  test('with what the data say about the advertisers', async () => {
    const { find } = await fixture();
    const [answer] = await find(about({ name: 'Nike' }));
    if (answer?.kind !== 'found') return expect.unreachable();
    expect(answer.ads[3]).toMatchObject({
      advertiserName: 'NK Sales',
      details: { advertiser: { legalName: 'Nike France SAS', location: 'FR', verification: 'VERIFIED' } },
    });
    expect(answer.candidates).toEqual([
      {
        advertiserId: fullId(advertiserId(5)),
        name: 'Nike Media',
        legalName: null,
        location: 'PL',
        verification: 'UNVERIFIED',
        adsCount: 1,
        confidence: expect.any(Number) as unknown,
        reasons: expect.arrayContaining(['name_within', 'unverified']) as unknown,
      },
    ]);
  });

  test('in one query for a whole window, each company with its own', async () => {
    const { standIn, find } = await fixture();
    const answers = await find(
      about({ name: 'Puma' }),
      about({ domain: 'nike.com' }),
      about({ name: 'Unheard-of' }),
      about({ domain: 'other.com' }, { mapping: mapped([8, 'allow']) }),
      about({ domain: 'gone.com' }, { mapping: mapped([99, 'allow']) }),
    );
    expect(answers.map(numbersIn)).toEqual([
      { ads: [7], candidates: [] },
      nike,
      { ads: [], candidates: [] },
      { ads: [8], candidates: [] },
      'none',
    ]);
    expect(standIn.jobs()).toBe(1);
  });
});

test('an answer without uncertain advertisers is whole', async () => {
  const { find } = await fixture([ad(1, 'Nike, Inc.'), ad(2, 'Nike Retail B.V.')]);
  const [answer] = await find(about({ name: 'Nike' }));
  expect(answer).toMatchObject({
    extent: { partial: false, truncated: false, estimate: { low: 2, high: 2 } },
  });
  expect(numbersIn(answer)).toMatchObject({ candidates: [] });
});

test('a company with uncertain advertisers only is not identified, and has them as candidates', async () => {
  const { find } = await fixture([
    ad(5, 'Nike Media', { advertiser_verification_status: 'UNVERIFIED' }),
    ad(6, 'Autohaus Nike'),
  ]);
  const [answer] = await find(about({ name: 'Nike' }));
  expect(answer?.kind).toBe('no_match');
  expect(numbersIn(answer)).toEqual({ ads: [], candidates: [5] });
});

test('a mapped advertiser is neither evaluated nor a candidate', async () => {
  const { find } = await fixture();
  const [denied] = await find(about({ name: 'Nike' }, { mapping: mapped([1, 'deny'], [5, 'deny']) }));
  expect(numbersIn(denied)).toEqual({ ads: [2, 3, 4], candidates: [] });
  const [chosen] = await find(about({ name: 'Nike' }, { mapping: mapped([6, 'allow']) }));
  expect(numbersIn(chosen)).toEqual({ ads: [6], candidates: [] });
  expect(chosen).toMatchObject({ matchedBy: 'mapping', extent: { partial: false } });
});

test('the answer is partial when more advertisers have the words than the query returns', async () => {
  const namesakes = Array.from({ length: 60 }, (_, i) => ad(10 + i, `Nike Retail ${i} Deutschland GmbH`));
  const { find } = await fixture([ad(1, 'Nike, Inc.'), ...namesakes]);
  const [answer] = await find(about({ name: 'Nike' }));
  expect(answer).toMatchObject({
    kind: 'found',
    extent: { partial: true, partialReason: 'too_many_advertisers' },
  });
  if (answer?.kind === 'found') expect(answer.ads[0]?.advertiserId).toBe(fullId(advertiserId(1)));
});
