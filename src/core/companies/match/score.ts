import type { AddedWords } from './added-words.ts';
import type { Alignment } from './align.ts';
import type { Context } from './context.ts';
import type { MatchReason } from './reasons.ts';
import type { NameProfile } from './name-profile.ts';
import type { Specificity } from './specificity.ts';
import { kindOf, type WordKind } from './word-kinds.ts';

/** Log odds for a distinct, a plain and a common name. */
type Weights = readonly [distinct: number, plain: number, common: number];

/** An evaluation in progress: log odds that the advertiser is the company's own, and the reasons. */
export interface Score {
  logit: number;
  readonly reasons: Set<MatchReason>;
}

const column: Readonly<Record<Specificity, 0 | 1 | 2>> = { distinct: 0, plain: 1, common: 2 };

/** Evidence from the names, by how well the shared name identifies a company. */
const weights = {
  equal: [3.6, 3.6, 1.8],
  within: [3.2, 2.9, 1.8],
  place: [0.3, 1.6, 1],
  corporate: [1, 1.1, 0.45],
  generic: [-0.4, -1.5, -0.9],
  genericBefore: [-2.6, -1.4, -1.4],
  trade: [-0.3, -0.5, -2.3],
  industry: [-2, -2.2, -2.6],
  tradePlace: [0.9, 1.3, -0.3],
  formless: [-0.7, 0, -0.5],
  unverifiedSubsidiary: [-1.2, -1.2, -1.2],
  unverifiedAdded: [-3, -2.8, -2.6],
  city: [-2.2, -2.9, -3],
  person: [-5.6, -5.8, -5.4],
  dealer: [-5.4, -5.2, -5.4],
  agency: [-5.8, -5.6, -5.4],
  profession: [-5.2, -5.6, -5.4],
  other: [-1.5, -3.2, -2.8],
  otherCountryBare: [-1.1, -0.45, -2.6],
  otherCountryAdded: [0.3, -0.1, -0.9],
  otherCountryTrade: [-0.9, -1.4, -0.8],
  localFormBare: [-0.1, -3, -1.8],
  localFormGeneric: [-1.6, -1.4, -1.4],
  localFormPlace: [0, 0, -0.4],
  byDomain: [0.2, -0.2, 0.2],
  byDomainOther: [0.6, 1, -0.1],
  byDomainOtherBefore: [1, 1, 0.3],
  memberBare: [0.4, 0.8, 0.2],
  knownBare: [0.4, 0, 0.4],
  knownTrade: [0, 0.4, 0],
  knownOther: [-0.8, 0, 0.4],
  otherSame: [0.8, 0.4, 0.4],
  otherVerified: [0, 0, 0.4],
  otherForm: [0.8, 0, 0.8],
  cityForm: [0.8, 0, 0],
  spelledOut: [-0.6, -0.6, -1.4],
  sounded: [-1.2, -0.4, -0.4],
  label: [0.4, -0.2, -0.6],
  isLabel: [-0.1, 0.3, 0.3],
  unclear: [-0.8, -1.6, -0.4],
  unclearByDomain: [-0.6, -0.8, -0.8],
  grandForm: [1, 0.2, 1.4],
  sameCountry: [0.6, 1.9, 2.1],
  verified: [0.8, 0.9, 0.75],
  unverified: [-0.9, -2.4, -2.8],
} as const satisfies Readonly<Record<string, Weights>>;

/** Scores one alignment. */
export function scoreAlignment(
  alignment: Alignment,
  added: AddedWords,
  {
    isKnown,
    ...context
  }: Context & { /** The company is in the list of families. */ readonly isKnown: boolean },
): Score {
  const { identity } = alignment;
  const at = column[identity.specificity];
  const isBare = added.kinds.size === 0 && !added.ofPlace;
  const score: Score = { logit: 0, reasons: new Set() };
  scoreName(score, alignment, added, { isBare, ...context });
  if (identity.specificity === 'plain') score.reasons.add('short_name');
  if (identity.specificity === 'common') score.reasons.add('common_name');
  scoreAdded(score, added, at);
  scoreMissing(score, alignment, added, at);
  const isMember = identity.kind === 'member' || identity.kind === 'parent';
  const isTrade = added.kinds.has('trade') || added.kinds.has('industry');
  if (isKnown && at === 2 && isTrade && identity.isLabel) score.logit += 1;
  if (isUnclear(added, at, { isKnown, isMember, ...context }))
    score.logit += (context.byDomain ? weights.unclearByDomain : weights.unclear)[at];
  const { verified, country, localForm, hasForm } = context;
  if (isKnown && at === 2 && isBare && hasForm && !localForm && verified === true && country === 'other')
    score.logit += 1.5;
  if (isMember && at === 0 && added.others > 0 && !added.before) score.logit += 0.7;
  if (isMember && isBare) score.logit += weights.memberBare[at];
  if (isKnown && !isMember) {
    if (isBare) score.logit += weights.knownBare[at];
    else if (added.others > 0) score.logit += weights.knownOther[at];
    else if (isTrade) score.logit += weights.knownTrade[at];
  }
  if (added.others > 0 && isPlainOther(added)) {
    if (country === 'same') score.logit += weights.otherSame[at];
    if (verified === true) score.logit += weights.otherVerified[at];
    if (hasForm) score.logit += weights.otherForm[at];
  }
  if (added.kinds.has('city') && hasForm && added.others === 0) score.logit += weights.cityForm[at];
  scoreContext(score, added, {
    at,
    isBare,
    sounded: alignment.how === 'sounded',
    isMember,
    isKnown,
    isLabel: identity.isLabel || identity.kind === 'label',
    ...context,
  });
  return score;
}

/** Scores an advertiser whose name has nothing in common with the company's. */
export function scoreStranger(
  name: NameProfile,
  { similar, isKnown }: { readonly similar: boolean; readonly isKnown: boolean },
  context: Context,
): Score {
  const score: Score = { logit: context.byDomain ? -1 : -4, reasons: new Set() };
  if (similar) add(score, 'name_similar', -0.5);
  else add(score, 'no_shared_name', 0);
  if (isKnown) add(score, 'known_other', -2);
  if (!context.byDomain && name.words.some(({ sounded }) => sounded)) add(score, 'other_script', 2.6);
  const kinds = new Set(name.words.map(({ text }) => kindOf(text)));
  if (kinds.has('agency')) add(score, 'adds_agency_word', -1.5);
  if (kinds.has('dealer')) add(score, 'adds_dealer_word', -1.5);
  if (kinds.has('person')) add(score, 'adds_person', -1);
  if (context.country === 'same') add(score, 'same_country', 0.4);
  if (context.country === 'other') add(score, 'other_country', -1.2);
  if (context.verified === false) add(score, 'unverified', -1.2);
  return score;
}

/** Adds a word on no list, and otherwise only what subsidiaries add. */
function isPlainOther({ kinds, ofPlace, before }: AddedWords): boolean {
  return !ofPlace && !before && ![...kinds].some((kind) => !domainKinds.has(kind));
}

function add(score: Score, reason: MatchReason, logit: number): void {
  score.reasons.add(reason);
  score.logit += logit;
}

function scoreName(
  score: Score,
  { identity, how }: Alignment,
  added: AddedWords,
  { isBare, byDomain }: Context & { readonly isBare: boolean },
): void {
  const at = column[identity.specificity];
  score.logit += (isBare ? weights.equal : weights.within)[at];
  if (how === 'sounded') add(score, 'sound_alike', weights.sounded[at]);
  else if (how === 'spelled_out') add(score, 'initials', weights.spelledOut[at]);
  else if (identity.kind === 'acronym')
    add(score, 'initials', identity.isLabel || added.hasAmpersand ? 0.1 : -0.8);
  else if (how === 'reordered') add(score, 'words_reordered', -0.2);
  else if (identity.kind === 'member') add(score, 'known_brand', 0.3);
  else if (identity.kind === 'parent') add(score, 'known_parent', byDomain ? 0.5 : 0);
  else if (identity.kind === 'label') add(score, isBare ? 'label_equal' : 'label_within', weights.label[at]);
  else add(score, isBare && identity.kind === 'name' ? 'name_equal' : 'name_within', 0);
  if (identity.isLabel && identity.kind !== 'label') score.logit += weights.isLabel[at];
  if (added.spelledOut) add(score, 'initials', 1.5);
}

function scoreAdded(score: Score, added: AddedWords, at: 0 | 1 | 2): void {
  const { kinds } = added;
  if (kinds.has('place') || kinds.has('region')) add(score, 'adds_place', weights.place[at]);
  if (kinds.has('corporate')) add(score, 'adds_corporate_word', weights.corporate[at]);
  if (kinds.has('generic'))
    add(score, 'adds_generic_word', kinds.has('corporate') || kinds.has('place') ? 0 : weights.generic[at]);
  if (kinds.has('trade'))
    add(
      score,
      'adds_trade',
      weights.trade[at] + (added.tradeBefore ? -1.1 : 0) + (kinds.has('place') ? weights.tradePlace[at] : 0),
    );
  if (kinds.has('industry')) add(score, 'adds_industry', weights.industry[at] + (kinds.has('place') ? 1 : 0));
  if (added.genericBefore && !kinds.has('place')) score.logit += weights.genericBefore[at];
  if (kinds.has('city')) add(score, 'adds_city', weights.city[at]);
  if (kinds.has('person')) {
    if (added.givenNameOnly && at !== 2) add(score, 'adds_person', -1);
    else add(score, 'adds_person', weights.person[at]);
  }
  if (kinds.has('dealer')) add(score, 'adds_dealer_word', weights.dealer[at]);
  if (kinds.has('agency')) add(score, 'adds_agency_word', weights.agency[at]);
  if (kinds.has('profession') || kinds.has('kinship')) add(score, 'adds_profession', weights.profession[at]);
  if (added.ofPlace) add(score, 'of_place', -5);
  if (added.others > 0) {
    const known = knownWords(kinds, at);
    const many = Math.min(added.others - 1, 3) * -0.4;
    add(score, 'adds_other_word', weights.other[at] + known + many + (added.before ? -1.2 : 0));
  }
}

/** Weight of a search by domain for a name with an unknown word: a company with a legal form seldom advertises another's domain. */
function domainEase({ before, kinds, ofPlace, givenNameOnly }: AddedWords, context: BareContext): number {
  const { at, hasForm, country, isLabel, verified } = context;
  const isPlain =
    !ofPlace && ![...kinds].some((kind) => !domainKinds.has(kind) && !(kind === 'person' && givenNameOnly));
  if (!isPlain || country === 'other' || (!hasForm && verified !== true)) return 0.1;
  if (at === 2 && !isLabel) return 0.3;
  return (before ? weights.byDomainOtherBefore : weights.byDomainOther)[at];
}

/** Ease for an unknown word beside words of a subsidiary. */
function knownWords(kinds: ReadonlySet<WordKind>, at: 0 | 1 | 2): number {
  if (kinds.has('place')) return at === 2 ? 0.6 : 1.3;
  return kinds.has('corporate') ? 0.6 : 0;
}

function scoreMissing(score: Score, { identity }: Alignment, added: AddedWords, at: 0 | 1 | 2): void {
  if (added.missing.length === 0) return;
  const { kinds } = added;
  if (kinds.size === 0) {
    score.logit -= identity.isLabel ? 0.2 : 0.6;
    return;
  }
  const isOther = kinds.has('trade') || kinds.has('industry') || added.others > 0;
  if (identity.isLabel && !isOther) return;
  const byLabel: Weights = [-3, -3.2, -3.4];
  const otherwise =
    isOther || (kinds.has('region') && added.missing.some((word) => kindOf(word) === 'region')) ? -4 : -1;

  add(score, 'other_branch', identity.isLabel ? byLabel[at] : otherwise);
}

interface BareContext extends Context {
  readonly at: 0 | 1 | 2;
  readonly isBare: boolean;
  /** In another script, which only a local subsidiary has. */
  readonly sounded: boolean;
  /** By a name of the company's family, of which some are abroad. */
  readonly isMember: boolean;
  readonly isKnown: boolean;
  /** By the label of the company's domain. */
  readonly isLabel: boolean;
}

function scoreContext(score: Score, added: AddedWords, context: BareContext): void {
  const { at, isBare, byDomain, country, verified } = context;
  const ownish = isOwnish(added) && !score.reasons.has('other_branch');
  if (byDomain) score.logit += ownish ? weights.byDomain[at] : domainEase(added, context);
  if (country === 'same') add(score, 'same_country', ownish ? weights.sameCountry[at] : 0);
  const fits = placeFits(added, context.advertiserCountries);
  if (fits === true) add(score, 'place_fits', 0.5);
  else if (country === 'other' && !context.sounded && !context.isMember)
    add(score, 'other_country', otherCountryWeight(added.kinds, isBare)[at]);
  if (!isBare && country !== 'same' && context.localForm && !context.sounded) {
    const { kinds } = added;
    if (kinds.has('place') && at === 2) add(score, 'local_form', weights.localFormPlace[at]);
    else if (kinds.has('generic') && !kinds.has('place') && !kinds.has('corporate'))
      add(score, 'local_form', weights.localFormGeneric[at]);
  }
  if (!context.hasForm && isVague(added.kinds)) score.logit += weights.formless[at];
  if (isBare && context.grandForm) score.logit += weights.grandForm[at];
  if (isBare && country !== 'same' && !context.isMember) {
    if (context.localForm && !context.sounded) {
      // A well-known company has such subsidiaries, which advertise its domain; by name it may be anyone of this name.
      const ease = byDomain && context.isKnown && at === 1 && verified === true ? 0.8 : 0;
      add(score, 'local_form', weights.localFormBare[at] + ease);
    }
    if (context.listedForms) add(score, 'listed_forms', -3.2);
  }
  if (verified === true)
    add(score, 'verified', ownish ? weights.verified[added.kinds.has('trade') ? 0 : at] : 0);
  if (verified === false) add(score, 'unverified', unverifiedWeight(added.kinds, isBare)[at]);
}

/** Words that namesakes add, too, without a sign of the company: it is on no list, or its name is not its alone. */
function isUnclear(
  { kinds }: AddedWords,
  at: 0 | 1 | 2,
  { isKnown, isMember, country }: Context & { readonly isKnown: boolean; readonly isMember: boolean },
): boolean {
  const isPart = kinds.has('place') || kinds.has('corporate') || country === 'same';
  if (isPart || !(kinds.has('trade') || kinds.has('generic'))) return false;
  return !isKnown || (at !== 0 && isMember) || (at === 2 && country === 'other');
}

/** A trade or an unknown word, and no country: without a legal form it may be anyone. */
function isVague(kinds: ReadonlySet<WordKind>): boolean {
  return (kinds.has('trade') || kinds.has('other')) && !kinds.has('place');
}

function unverifiedWeight(kinds: ReadonlySet<WordKind>, isBare: boolean): Weights {
  if (isBare) return weights.unverified;
  const isSubsidiary = [...kinds].every(
    (kind) => kind === 'place' || kind === 'region' || kind === 'corporate' || kind === 'generic',
  );
  return isSubsidiary && (kinds.has('place') || kinds.has('corporate'))
    ? weights.unverifiedSubsidiary
    : weights.unverifiedAdded;
}

function otherCountryWeight(kinds: ReadonlySet<WordKind>, isBare: boolean): Weights {
  if (isBare) return weights.otherCountryBare;
  const isTrade = kinds.has('trade') || kinds.has('industry');
  return (isTrade || kinds.has('other')) && !kinds.has('place')
    ? weights.otherCountryTrade
    : weights.otherCountryAdded;
}

/** Kinds of words of a company whose ads a search by its domain found. A dealer's words are none of them. */
const domainKinds: ReadonlySet<WordKind> = new Set([
  'place',
  'region',
  'corporate',
  'generic',
  'trade',
  'industry',
  'other',
  'common',
]);
const ownKinds: ReadonlySet<WordKind> = new Set(['place', 'region', 'corporate', 'generic', 'trade']);

/** Adds nothing but what subsidiaries add. A dealer is in the same country, too. */
function isOwnish({ kinds, others, ofPlace }: AddedWords): boolean {
  if (others > 0 || ofPlace) return false;
  return ![...kinds].some((kind) => !ownKinds.has(kind));
}

function placeFits(added: AddedWords, countries: ReadonlySet<string> | null): boolean | null {
  if (added.countries.size === 0 || countries === null) return null;
  for (const code of added.countries) if (countries.has(code)) return true;
  return false;
}
