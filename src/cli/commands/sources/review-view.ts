import type { AdvertiserCandidate } from '../../../core/companies/advertiser-candidates.ts';
import { advertiserPageUrl } from '../../../core/companies/advertiser-id.ts';
import { explainReason, percent } from '../../../core/companies/review-candidate.ts';
import { showKey } from '../../context/name-company.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** A candidate as JSON. */
export function candidateJson({ companyKey, confidence, reasons, ...candidate }: AdvertiserCandidate) {
  const { advertiserId, name, legalName, location, verification, adsCount, source } = candidate;
  const { firstSeenAt, lastSeenAt } = candidate;
  return {
    ...showKey(companyKey),
    advertiserId,
    name,
    legalName,
    location,
    verification,
    adsCount,
    confidence,
    reasons,
    source,
    firstSeenAt,
    lastSeenAt,
    url: advertiserPageUrl(advertiserId),
  };
}

/** Formats candidates as a table. */
export function candidatesTable(candidates: readonly AdvertiserCandidate[], columnsMax: number): string {
  return formatTable(
    [
      'company',
      'advertiser',
      'name',
      'own',
      { title: 'country', hide: 3 },
      { title: 'verified', hide: 2 },
      { title: 'ads', hide: 4 },
      { title: 'why', hide: 1 },
    ],
    candidates.map((each) => [
      showKey(each.companyKey).company,
      each.advertiserId,
      each.name ?? each.legalName,
      percent(each.confidence),
      each.location,
      each.verification?.toLowerCase() ?? null,
      each.adsCount,
      each.reasons.join(', '),
    ]),
    columnsMax,
  );
}

/** Describes a candidate for a decision, a line for each thing that is known. */
export function candidateText(candidate: AdvertiserCandidate): string {
  const { advertiserId, name, legalName, location, verification, adsCount, confidence } = candidate;
  const url = advertiserPageUrl(advertiserId);
  const lines: readonly (readonly [label: string, value: string | number | null])[] = [
    ['Advertiser', name ?? legalName ?? advertiserId],
    ['Legal name', name === null || legalName === name ? null : legalName],
    ['Country', location],
    ['Verified', verification?.toLowerCase() ?? null],
    ['Ads', adsCount?.toLocaleString('en-US') ?? null],
    ['Likely own', percent(confidence)],
    ['Because', candidate.reasons.map(explainReason).join('; ')],
    ['Page', url],
    ['Id', url === null ? advertiserId : null],
  ];
  return lines
    .flatMap(([label, value]) =>
      value === null || value === '' ? [] : [`  ${label.padEnd(labelChars)}${value}`],
    )
    .join('\n');
}

const labelChars = 'Likely own'.length + 2;
