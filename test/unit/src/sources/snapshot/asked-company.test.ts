import { expect, test } from 'vitest';
import { parseMatchLine } from '../../../../../src/cli/commands/sources/parse-match-line.ts';
import { parseCompany, type CompanyQuery } from '../../../../../src/core/companies/company.ts';
import { evaluateAdvertiser } from '../../../../../src/core/companies/match/evaluate-advertiser.ts';
import { addFamilies } from '../../../../../src/core/companies/match/families/families.ts';
import { nameFitsDomain } from '../../../../../src/core/companies/name-fits-domain.ts';
import type { SnapshotAdvertiser } from '../../../../../src/core/sources/snapshot-store.ts';
import { askedCompany } from '../../../../../src/sources/snapshot/asked-company.ts';
import { evaluateAdvertisers } from '../../../../../src/sources/snapshot/evaluate-advertisers.ts';
import { readLabelledPairs } from '../../../../support/companies/labelled-pairs.ts';

interface Pair {
  readonly company: CompanyQuery;
  readonly advertiser: SnapshotAdvertiser;
}

/** A third of the pairs: all of them take seconds. */
const lines = readLabelledPairs().filter((_, i) => i % 3 === 0);
const pairs = lines.flatMap(({ line }, i): readonly Pair[] => {
  const pair = parseMatchLine(line);
  if (pair.kind === 'invalid') throw new Error(pair.reason);
  const parsed = parseCompany({
    name: pair.company.name ?? undefined,
    domain: pair.company.domain ?? undefined,
  });
  const { name, legalName = null, location = null } = pair.advertiser;
  const names = { disclosedName: name, legalName, location };
  return parsed.kind === 'rejected'
    ? []
    : [
        {
          company: parsed.company,
          advertiser: { key: BigInt(i), advertiserId: `AR${i}`, ...names, adsCount: 1 },
        },
      ];
});

/** Evaluates without anything that an earlier search has left. */
function evaluateAfresh({ company: { name, domain }, advertiser }: Pair) {
  const isNamed = name !== null && (domain === null || nameFitsDomain(name, domain));
  const { disclosedName, legalName, location } = advertiser;
  const { relation, confidence, reasons } = evaluateAdvertiser(
    { name: isNamed ? name : null, domain },
    { name: disclosedName ?? legalName, legalName, location, foundBy: 'name' },
  );
  return relation === 'third_party' ? null : { relation, confidence, reasons };
}

function evaluateAgain({ company, advertiser }: Pair) {
  const { own, candidates } = evaluateAdvertisers(askedCompany(company).profile, [advertiser]);
  const [candidate] = candidates;
  if (candidate === undefined) return own[0]?.match ?? null;
  const { confidence, reasons } = candidate;
  return { relation: 'unknown', confidence, reasons };
}

test('a repeated search, in any order, evaluates as the first one and as one on its own', () => {
  const first = pairs.map(evaluateAgain);
  const backwards = pairs.toReversed().map(evaluateAgain).reverse();
  expect(backwards).toEqual(first);
  expect(first).toEqual(pairs.map(evaluateAfresh));
});

test('an evaluation does not depend on families that were added and replaced before', () => {
  const first = pairs.map(evaluateAgain);
  addFamilies('DE Zorvex Foods | Quimbel');
  addFamilies('');
  expect(pairs.map(evaluateAgain)).toEqual(first);
});

test('every company of another name or domain is prepared on its own', () => {
  const name = 'Zorvex Analytics';
  const ofName = askedCompany({ name, domain: null });
  const ofDomain = askedCompany({ name, domain: 'zorvex.com' });
  expect(ofName.labelKeys).toEqual([]);
  expect(ofDomain.labelKeys).toEqual(['zorvex']);
  expect(askedCompany({ name, domain: null })).toBe(ofName);
});

test('families that are added later count for a company that was asked about before', () => {
  const company = { name: 'Zorvex Foods', domain: null };
  expect(askedCompany(company).profile.families.members).toEqual([]);
  try {
    addFamilies('DE Zorvex Foods | Quimbel');
    expect(askedCompany(company).profile.families.members).toContain('Quimbel');
  } finally {
    addFamilies('');
  }
});
