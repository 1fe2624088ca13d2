/** Reasons of an evaluation, as machine words, with their meaning for people (docs/guides/advertisers.md). Stable: words are added, never changed. */
export const matchReasons = {
  // How the names correspond: exactly one of these
  name_equal: 'the names are equal, legal forms and spelling aside',
  name_within: "the company's name, or the distinguishing part of it, is in the advertiser's name",
  label_equal: "the advertiser's name is the label of the company's domain",
  label_within: "the label of the company's domain is in the advertiser's name",
  initials: 'one name has the initials of the other',
  sound_alike: 'the names sound alike in different scripts',
  words_reordered: 'the names have the same words in another order',
  known_brand:
    "the advertiser's name is a brand, a subsidiary or another name of the company, by the list of families",
  known_parent: "the advertiser's name is that of the company's parent, by the list of families",
  name_similar: 'the names differ by a letter: a typing error, or an imitation',
  other_script: 'the advertiser writes its name in another script, and the sounds do not agree',
  no_shared_name: 'the names have nothing in common',
  // How well the shared words identify a company
  short_name: 'the shared name is short, so others may have it',
  common_name: 'the shared name is a common word, a surname or a trade, so others have it',
  // What the advertiser adds to the name
  adds_place: "it adds a country or region, as a company's own subsidiaries do",
  adds_corporate_word: 'it adds a word of corporate structure, such as retail, sales or vertrieb',
  adds_generic_word: 'it adds a word that any business may have, such as group, services or media',
  adds_trade: 'it adds a trade, such as bank, energy or software',
  adds_industry: 'it adds an industry that sisters and namesakes have, such as chemicals, trucks or steel',
  adds_city: 'it adds a city, as dealers and local businesses do',
  adds_person: 'it adds the name of a person',
  adds_dealer_word: 'it adds a word of a dealer, franchisee, repair shop or reseller',
  adds_agency_word: 'it adds a word of an agency, agent or consultant',
  adds_profession: 'it adds a profession or a local trade, such as lawyers, a hotel or a school',
  adds_other_word: 'it adds a word that is on none of the lists',
  of_place: "it continues with `of` and something that is no country: a dealer's name",
  known_other: 'the list of families knows the name as that of another company',
  other_branch: "it lacks a word of the company's name and has another in its place",
  own_legal_form: 'both have the same legal form',
  // Countries and legal forms
  same_country: 'company and advertiser are in the same country',
  other_country: 'the advertiser is in another country, and its name does not say so',
  place_fits: 'the country in its name is the country of the advertiser',
  local_form: 'it has the bare name and the legal form of a small company',
  listed_forms: 'it has the bare name and the legal form of a parent company, and is not this one',
  // The advertiser
  verified: 'the network has verified the advertiser',
  unverified: 'the network has not verified the advertiser',
  legal_name_fits: "the advertiser's legal name is the company's, too",
  legal_name_differs: "the advertiser's legal name has nothing in common with the company's",
  // Its ads
  advertises_domain: "its ads point to the company's domain",
  advertises_elsewhere: 'none of its ads points to the domain of the company',
  many_ads: 'it has many ads',
  // The question
  no_company: 'the company has neither a usable name nor a usable domain',
  no_advertiser_name: 'the advertiser has no usable name',
} as const;

/** One reason of an evaluation. */
export type MatchReason = keyof typeof matchReasons;
