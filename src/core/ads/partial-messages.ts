import type { PartialReason } from './ads-answer.ts';

/** Facts of a partial answer. */
export interface PartialAnswer {
  readonly partial: boolean;
  readonly partialReason: PartialReason | null;
  readonly uncertainAdvertisers: number | null;
}

/** Says for people why an answer may lack ads, and what to do: a sentence for each reason. */
export function partialMessages({
  partial,
  partialReason,
  uncertainAdvertisers: uncertain,
}: PartialAnswer): readonly string[] {
  return [
    ...(partial ? messagesOf[partialReason ?? 'page_failed'] : []),
    ...(uncertain === null ? [] : [uncertainMessage(uncertain)]),
  ];
}

const messagesOf: Readonly<Record<PartialReason, readonly string[]>> = {
  page_failed: ['A later page could not be fetched: there may be more ads.'],
  // Its number of advertisers is a sentence of its own.
  uncertain_advertisers: [],
  too_many_advertisers: [
    'Many advertisers have words of this name: only those with the exact name were evaluated. Map the others with nightshift companies map.',
  ],
};

function uncertainMessage(count: number): string {
  const advertisers = count === 1 ? '1 advertiser' : `${count.toLocaleString('en')} advertisers`;
  return `${advertisers} may belong to the company: decide with nightshift companies review.`;
}
